// node perf.mjs PAGE[#hash]... : what a page costs the main thread while it plays, from the
// browser's own trace: script time a frame, and the longest task, both as the processor's time of
// that thread, so that other programs do not count. Without a graphics card drawing itself happens
// in another process, and is not counted either. 1 if a page costs more than it may.

import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { launch, open } from './tests/browser.mjs';

const FRAMES = 40, WARM = 5, PATIENCE = 120000; // ms
const MOST_SCRIPT = 4, MOST_TASK = 100; // ms
const SCRIPT = new Set(['FunctionCall', 'EvaluateScript', 'FireAnimationFrame', 'TimerFire', 'EventDispatch']);

const drawn = (page, count) => page.evaluate(([wanted, patience]) => new Promise((done) => {
  const start = performance.now();
  const next = (frames) => (frames >= wanted || performance.now() - start > patience ? done(frames)
    : requestAnimationFrame(() => next(frames + 1)));
  next(0);
}), [count, PATIENCE]);

// Events of the page's main thread: the one that fires most animation frames.
function mainThread(events) {
  const counts = new Map();
  for (const { name, pid, tid } of events) {
    if (name === 'FireAnimationFrame') counts.set(`${pid} ${tid}`, (counts.get(`${pid} ${tid}`) ?? 0) + 1);
  }
  const [main] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [''];
  return events.filter(({ pid, tid, ph }) => `${pid} ${tid}` === main && ph === 'X');
}

// Scripts call scripts: only the outermost ones count.
function outermost(events) {
  let end = -Infinity;
  return events.filter(({ name }) => SCRIPT.has(name)).sort((a, b) => a.ts - b.ts)
    .filter(({ ts, dur }) => ts >= end && ((end = ts + (dur ?? 0)), true));
}

const milliseconds = ({ tdur, dur }) => (tdur ?? dur ?? 0) / 1000;

async function trace(browser, page) {
  const file = join(tmpdir(), `carom-trace-${process.pid}.json`);
  await browser.startTracing(page, { path: file, categories: ['devtools.timeline', 'toplevel'] });
  await drawn(page, FRAMES);
  await browser.stopTracing();
  const { traceEvents } = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  return mainThread(traceEvents);
}

async function measure(browser, asked) {
  const [path, hash] = asked.split('#');
  const { page } = await open(browser, resolve(path), hash ?? '', { width: 1280, height: 800 });
  await page.evaluate(() => window.carom.store.set({ playing: true }));
  await drawn(page, WARM); // shaders are made in the first frames
  const events = await trace(browser, page);
  await page.close();
  // Two animation frames are asked for at once: ours, and the one that counts here. A frame is one task.
  const frames = new Set(events.filter(({ name }) => name === 'FireAnimationFrame').map(({ args }) => args?.data?.id)).size / 2;
  const script = outermost(events).reduce((sum, event) => sum + milliseconds(event), 0) / frames;
  const longest = Math.max(0, ...events.filter(({ name }) => name.endsWith('RunTask')).map(milliseconds));
  console.log(`${asked}: ${Math.round(frames)} frames, ${script.toFixed(2)} ms of script a frame, longest task ${longest.toFixed(1)} ms`);
  return script <= MOST_SCRIPT && longest <= MOST_TASK;
}

const browser = await launch();
const kept = [];
for (const asked of process.argv.slice(2)) kept.push(await measure(browser, asked));
await browser.close();
process.exitCode = kept.every(Boolean) ? 0 : 1;
