// node screenshots.mjs FOLDER PAGE... : a picture of every page, as FOLDER/<page>.jpg. A page may
// carry a hash and a name for its picture, as hole.html#t=2&tree::hole-tree; `phone` in the hash
// makes the window as small as one, and `every` takes four: wide and phone, light and dark.
// `at=0.4` stands at that share of the time.

import { mkdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { launch, open } from './tests/browser.mjs';

const WIDE = { width: 720, height: 450 }, PHONE = { width: 320, height: 568 };

const [folder, ...pages] = process.argv.slice(2);
if (!folder || pages.length === 0) {
  console.error('usage: node screenshots.mjs FOLDER PAGE[#hash][::name]...');
  process.exit(2);
}

// Whether the scene is on the screen: on a busy machine the page is shown before it.
async function isDrawn(page) {
  const { x, y, width, height } = await page.locator('#stage').boundingBox();
  const shot = await page.screenshot({ type: 'png', clip: { x, y: y + height / 4, width, height: height / 2 } });
  return page.evaluate(async (text) => {
    const image = new Image();
    image.src = `data:image/png;base64,${text}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height), found = new Set();
    for (let i = 0; i < data.length; i += 4) found.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    return found.size > 200;
  }, shot.toString('base64'));
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
  for (let attempt = 0; attempt < 20 && !await isDrawn(page); attempt++) await page.waitForTimeout(500);
  await page.screenshot({ path: join(folder, `${name}.jpg`), type: 'jpeg', quality: 82 });
  console.log(join(folder, `${name}.jpg`));
}

async function every(page, name) {
  await shoot(page, `${name}-light`, { theme: 'light' });
  await shoot(page, `${name}-dark`, { theme: 'dark' });
  await page.setViewportSize(PHONE);
  await page.evaluate(() => window.carom.seeAll());
  await shoot(page, `${name}-phone-dark`, { theme: 'dark' });
  await shoot(page, `${name}-phone-light`, { theme: 'light' });
}

mkdirSync(folder, { recursive: true });
const browser = await launch();
let tab = null;
for (const asked of pages) {
  const [address, given] = asked.split('::');
  const [path, hash = 't=2.5'] = address.split('#');
  const wishes = new URLSearchParams(hash);
  tab = await open(browser, resolve(path), wishes.has('at') ? `t=0&${hash}` : hash, wishes.has('phone') ? PHONE : WIDE, tab);
  const { page, errors } = tab;
  if (wishes.has('at')) await page.evaluate((share) => window.carom.seek(share * window.carom.duration()), Number(wishes.get('at')));
  const name = given ?? basename(path, '.html');
  await (wishes.has('every') ? every(page, name) : shoot(page, name));
  if (errors.length > 0) console.error(asked, errors);
}
await browser.close();
