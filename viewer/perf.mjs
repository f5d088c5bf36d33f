// node perf.mjs PAGE[#hash]... : what a page costs the main thread while it plays, from the
// browser's own trace: script time a frame, and the longest task. Without a graphics card drawing
// itself happens in another process, and is not counted.

import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { launch, open } from './tests/browser.mjs';

const SECONDS = 6;
const SCRIPT = new Set(['FunctionCall', 'EvaluateScript', 'FireAnimationFrame', 'TimerFire', 'EventDispatch']);

// Events of the page's main thread: the one that fires animation frames.
function mainThread(events) {
  const { pid, tid } = events.find(({ name }) => name === 'FireAnimationFrame');
  return events.filter((event) => event.pid === pid && event.tid === tid && event.ph === 'X');
}

// Scripts call scripts: only the outermost ones count.
function outermost(events) {
  let end = -Infinity;
  return events.filter(({ name }) => SCRIPT.has(name)).sort((a, b) => a.ts - b.ts)
    .filter(({ ts, dur }) => ts >= end && ((end = ts + (dur ?? 0)), true));
}

const browser = await launch();
for (const asked of process.argv.slice(2)) {
  const [path, hash] = asked.split('#');
  const { page } = await open(browser, resolve(path), hash ?? '', { width: 1280, height: 800 });
  await page.evaluate(() => window.carom.store.set({ playing: true }));
  await page.waitForTimeout(1500); // shaders are made in the first frames
  const file = join(tmpdir(), `carom-trace-${process.pid}.json`);
  await browser.startTracing(page, { path: file, categories: ['devtools.timeline', 'toplevel'] });
  await page.waitForTimeout(SECONDS * 1000);
  await browser.stopTracing();
  const events = mainThread(JSON.parse(readFileSync(file, 'utf8')).traceEvents);
  rmSync(file);
  const frames = events.filter(({ name }) => name === 'FireAnimationFrame').length;
  const script = outermost(events).reduce((sum, { tdur, dur }) => sum + (tdur ?? dur ?? 0), 0) / 1000;
  const longest = Math.max(0, ...events.filter(({ name }) => name.endsWith('RunTask'))
    .map(({ tdur, dur }) => (tdur ?? dur ?? 0) / 1000));
  console.log(`${asked}: ${frames} frames, ${(script / frames).toFixed(2)} ms of script a frame, longest task ${longest.toFixed(1)} ms`);
  await page.close();
}
await browser.close();
