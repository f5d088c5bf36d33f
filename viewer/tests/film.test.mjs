// node film.test.mjs FOLDER CAROM: films and pictures that the program makes of a page, and what it
// says where it cannot. They are as small and short as can be: a browser draws every frame.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { CHROMIUM, launch } from './browser.mjs';

const [folder, carom] = process.argv.slice(2).map((each) => resolve(each));
const page = join(folder, 'plan.html');
const work = mkdtempSync(join(tmpdir(), 'carom-film-'));
after(() => rmSync(work, { recursive: true }));

function film(name, more = [], environment = {}) {
  const path = join(work, name);
  const { status, stderr } = spawnSync(carom, ['export', page, path, ...more],
    { encoding: 'utf8', env: { ...process.env, CHROMIUM, ...environment } });
  return { path, status, stderr };
}

// Width, height and number of frames, as ffmpeg counts them.
function counted(path) {
  const { stdout } = spawnSync('ffprobe', ['-v', 'error', '-select_streams', 'v', '-count_frames', '-of', 'csv=p=0',
    '-show_entries', 'stream=width,height,nb_read_frames', path], { encoding: 'utf8' });
  return stdout.trim().split(',').map(Number);
}

// The frames of a film: the way through at that speed, then 0.6 s at the end.
function frames(fps, speed) {
  const times = readFileSync(join(folder, 'plan.csv'), 'utf8').trim().split('\n').slice(1).map((row) => Number(row.split(',')[0]));
  return Math.ceil(Math.max(...times) * fps / speed - 1e-6) + Math.floor(0.6 * fps) + 1;
}

const SMALL = ['--size', '160x96', '--fps', '5', '--speed', '4'];

test('has as many frames as the time asks for', () => {
  for (const name of ['shot.mp4', 'shot.webm']) {
    const { path, status, stderr } = film(name, SMALL);
    assert.equal(status, 0, stderr);
    assert.deepEqual(counted(path), [160, 96, frames(5, 4)]);
  }
  assert.deepEqual(readdirSync(work).sort(), ['shot.mp4', 'shot.webm'], 'nothing else is left');
});

test('plays in a browser, and something moves', async (t) => {
  const browser = await launch();
  t.after(() => browser.close());
  const tab = await browser.newPage();
  for (const name of ['shot.mp4', 'shot.webm']) {
    // Within the page: of a film of another file it could not read the pixels.
    const film64 = readFileSync(join(work, name)).toString('base64');
    await tab.setContent(`<video muted src="data:video/${name.slice(5)};base64,${film64}"></video>`);
    const { width, seconds, moved } = await tab.evaluate(async () => {
      const video = document.querySelector('video');
      const still = async (time) => {
        video.currentTime = time;
        await new Promise((done, fail) => { video.onseeked = done; video.onerror = () => fail(new Error(video.error.message)); });
        const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight), context = canvas.getContext('2d');
        context.drawImage(video, 0, 0);
        return context.getImageData(0, 0, canvas.width, canvas.height).data.join();
      };
      await new Promise((done, fail) => { video.onloadeddata = done; video.onerror = () => fail(new Error(video.error.message)); video.load(); });
      const [first, last] = [await still(0.01), await still(video.duration - 0.05)];
      video.currentTime = 0;
      const ended = new Promise((done) => { video.onended = done; });
      video.playbackRate = 4;
      await video.play();
      await ended;
      return { width: video.videoWidth, seconds: video.duration, moved: first !== last };
    }).catch((error) => assert.fail(`${name}: ${error}`));
    assert.equal(width, 160);
    assert.ok(Math.abs(seconds - frames(5, 4) / 5) < 0.25, `${name} lasts ${seconds} s`);
    assert.ok(moved, `${name} stands still`);
  }
});

test('makes a picture of a moment without ffmpeg', () => {
  const { path, status, stderr } = film('shot.png', ['--size', '160x96', '--at', '1'], { PATH: '/nowhere' });
  assert.equal(status, 0, stderr);
  const bytes = readFileSync(path);
  assert.deepEqual([...bytes.subarray(1, 4)], [...Buffer.from('PNG')]);
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [160, 96]);
});

test('says what is missing or does not work, and leaves nothing', () => {
  const bare = join(work, 'bin');
  mkdirSync(bare);
  symlinkSync(CHROMIUM, join(bare, 'chromium'));
  const cases = [
    [{ PATH: bare }, /films need ffmpeg: install it/],
    [{ PATH: '/nowhere', CHROMIUM: '' }, /films and pictures need a browser: install chromium/],
    [{ CHROMIUM: '/bin/false' }, /the browser or ffmpeg did not make it/],
  ];
  for (const [environment, says] of cases) {
    const { path, status, stderr } = film('none.mp4', SMALL, environment);
    assert.equal(status, 3, stderr);
    assert.match(stderr, says);
    assert.ok(!existsSync(path) && !existsSync(`${path}.part`));
  }
});
