// node screenshots.mjs FOLDER PAGE... : a picture of every page, as FOLDER/<page>.jpg. A page may
// carry a hash and a name for its picture, as hole.html#t=2&tree::hole-tree; `phone` in the hash
// makes the window as small as one, and `every` takes four: wide and phone, light and dark.
// `at=0.4` stands at that share of the time, `size=900x563` is the window's.

import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { launch, open } from './tests/browser.mjs';

const WIDE = { width: 720, height: 450 }, PHONE = { width: 320, height: 568 };

const [folder, ...pages] = process.argv.slice(2);
if (!folder || pages.length === 0) {
  console.error('usage: node screenshots.mjs FOLDER PAGE[#hash][::name]...');
  process.exit(2);
}

// Whether the scene is in the picture: on a busy machine the page is shown before it.
async function isDrawn(page, shot) {
  const { x, y, width, height } = await page.locator('#stage:visible, #gallery:visible').first().boundingBox();
  return page.evaluate(async ([text, left, top, wide, high]) => {
    const image = new Image();
    image.src = `data:image/jpeg;base64,${text}`;
    await image.decode();
    const context = new OffscreenCanvas(wide, high).getContext('2d');
    context.drawImage(image, left, top, wide, high, 0, 0, wide, high);
    const { data } = context.getImageData(0, 0, wide, high), found = new Set();
    for (let i = 0; i < data.length; i += 4) found.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    return found.size > 300;
  }, [shot.toString('base64'), x, y + height / 4, width, height / 2].map((v) => (typeof v === 'number' ? Math.floor(v) : v)));
}

// Draw, and wait until it is drawn: without a graphics card that takes a moment.
async function shoot(page, name, change = {}) {
  await page.evaluate(async (asked) => {
    const { carom } = window, { renderer } = carom.stage;
    const frames = () => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });
    carom.store.set(asked);
    await frames();
    renderer?.getContext().readPixels(0, 0, 1, 1, 6408, 5121, new Uint8Array(4));
    await frames(); // what is drawn is also to be shown
  }, change);
  const take = () => page.screenshot({ type: 'jpeg', quality: 82 });
  let shot = await take();
  for (let attempt = 0; attempt < 20 && !await isDrawn(page, shot); attempt++) {
    await page.evaluate(() => window.carom.invalidate());
    await page.waitForTimeout(500);
    shot = await take();
  }
  writeFileSync(join(folder, `${name}.jpg`), shot);
  console.log(join(folder, `${name}.jpg`));
}

async function every(page, name) {
  await shoot(page, `${name}-light`, { theme: 'light' });
  await shoot(page, `${name}-dark`, { theme: 'dark' });
  await page.setViewportSize(PHONE);
  await page.waitForFunction((wide) => window.carom.frames()[0].rect.width === wide, PHONE.width);
  await page.evaluate(() => window.carom.seeAll());
  await shoot(page, `${name}-phone-dark`, { theme: 'dark' });
  await shoot(page, `${name}-phone-light`, { theme: 'light' });
}

function sizeOf(wishes) {
  const [width, height] = (wishes.get('size') ?? '').split('x').map(Number);
  return height > 0 ? { width, height } : wishes.has('phone') ? PHONE : WIDE;
}

mkdirSync(folder, { recursive: true });
const browser = await launch();
let tab = null;
for (const asked of pages) {
  const [address, given] = asked.split('::');
  const [path, hash = 't=2.5'] = address.split('#');
  const wishes = new URLSearchParams(hash);
  tab = await open(browser, resolve(path), wishes.has('at') ? `t=0&${hash}` : hash, sizeOf(wishes), tab);
  const { page, errors } = tab;
  if (wishes.has('at')) await page.evaluate((share) => window.carom.seek(share * window.carom.duration()), Number(wishes.get('at')));
  const name = given ?? basename(path, '.html');
  await (wishes.has('every') ? every(page, name) : shoot(page, name));
  if (errors.length > 0) console.error(asked, errors);
}
await browser.close();
