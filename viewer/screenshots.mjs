// node screenshots.mjs FOLDER PAGE... : a picture of every page, as FOLDER/<page>.png. A page may
// carry a hash and a name for its picture, as hole.html#t=2&tree::hole-tree; `phone` in the hash
// makes the window as small as one.

import { mkdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { launch, open } from './tests/browser.mjs';

const [folder, ...pages] = process.argv.slice(2);
if (!folder || pages.length === 0) {
  console.error('usage: node screenshots.mjs FOLDER PAGE[#hash][::name]...');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const browser = await launch();
for (const asked of pages) {
  const [address, given] = asked.split('::');
  const [path, hash] = address.split('#');
  const phone = hash?.includes('phone');
  const size = phone ? { width: 390, height: 780 } : { width: 1120, height: 700 };
  const { page, errors } = await open(browser, resolve(path), hash ?? 't=2.5', size);
  await page.waitForTimeout(600);
  const file = join(folder, `${given ?? basename(path, '.html')}.png`);
  await page.screenshot({ path: file });
  console.log(file, errors.length > 0 ? errors : '');
  await page.close();
}
await browser.close();
