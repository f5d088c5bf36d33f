// node page.test.mjs FOLDER: real pages, made by make_pages, in a real browser.

import assert from 'node:assert/strict';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import AxeBuilder from '@axe-core/playwright';
import { launch, open } from './browser.mjs';

const folder = resolve(process.argv[2]);
const file = (name) => join(folder, name);
const expected = (name) => JSON.parse(readFileSync(file(`${name}.json`), 'utf8'));

let browser, tab = null; // all pages are opened in one tab, one after the other
before(async () => { browser = await launch(); });
after(async () => { await browser.close(); });

// Open a page, run the steps, and demand that it never complained. Tests that do not ask how it
// looks draw it plainly: a browser without a graphics card takes its time for shadows.
function pageTest(name, page, hash, steps, size) {
  fineTest(name, page, hash ? `${hash}&plain` : 'plain', steps, size);
}

function fineTest(name, page, hash, steps, size) {
  test(name, async () => {
    tab = await open(browser, file(page), hash, size, tab);
    await steps(tab.page);
    assert.deepEqual(tab.errors, []);
  });
}

const state = (page) => page.evaluate(() => {
  const { kept, ...rest } = window.carom.store.state;
  return { ...rest, kept: [...kept] };
});

async function assertAt(page, body, place, reach = 2e-5) {
  const drawn = await page.evaluate((name) => window.carom.drawnAt(name), body);
  place.forEach((value, axis) => assert.ok(Math.abs(drawn[axis] - value) < reach,
    `${body} is drawn at ${drawn}, not at ${place}`));
}

const tiles = (page) => page.locator('.tile').count();

async function scrub(page, frame) {
  await page.locator('#scrub').fill(String(frame));
}

pageTest('plays by itself, pauses, and goes on', 'golf.html', '', async (page) => {
  const first = (await state(page)).seconds;
  await page.waitForFunction((before) => window.carom.store.state.seconds > before + 0.05, first);
  await page.locator('#play').click();
  const paused = (await state(page)).seconds;
  await page.waitForTimeout(150);
  assert.equal((await state(page)).seconds, paused);
  await page.locator('#play').click();
  await page.waitForFunction((before) => window.carom.store.state.seconds !== before, paused);
});

pageTest('draws bodies where the playback says', 'golf.html', 't=0', async (page) => {
  for (const { frame, places } of expected('golf').worlds[0]) {
    await scrub(page, frame);
    assert.equal(await page.evaluate(() => window.carom.frame), frame);
    await assertAt(page, 'ball', places[0]);
    await assertAt(page, 'robot', places[1]);
  }
});

pageTest('draws a plan as its table of states says', 'plan.html', 't=0', async (page) => {
  const rows = readFileSync(file('plan.csv'), 'utf8').trim().split('\n').slice(1)
    .map((line) => line.split(','));
  const times = [...new Set(rows.map((row) => row[0]))];
  for (const frame of [0, Math.floor(times.length / 2), times.length - 1]) {
    await scrub(page, frame);
    for (const row of rows.filter((each) => each[0] === times[frame])) {
      await assertAt(page, row[1], row.slice(2, 5).map(Number));
    }
  }
});

// The rows of a table of the plan, without their heading.
const table = (name) => readFileSync(file(name), 'utf8').trim().split('\n').slice(1)
  .map((line) => line.split(','));

pageTest('has the events of the plan that its tables have', 'plan.html', 't=0', async (page) => {
  const { frameSeconds, spans, meetings, bodies } = await page.evaluate(() => {
    const { playback } = window.carom;
    const [world] = playback.worlds;
    return {
      frameSeconds: playback.frameSeconds, spans: world.spans, meetings: world.meetings,
      bodies: playback.bodies.map(({ name }) => name),
    };
  });
  assert.deepEqual(
    spans.map(({ row, label, from, to }) => [row, label, from * frameSeconds, to * frameSeconds]),
    table('plan.skills.csv').map(([row, label, from, to]) => [row, label, Number(from), Number(to)]));
  const contacts = table('plan.contacts.csv');
  assert.ok(contacts.length > 0);
  assert.deepEqual(meetings.map(({ from, a, b }) => [from * frameSeconds, bodies[a], bodies[b]]),
    contacts.map(([time, a, b]) => [Number(time), a, b]));
  meetings.forEach(({ point, impulse }, i) => {
    const [x, y, z, strength] = contacts[i].slice(3).map(Number);
    [x, y, z].forEach((value, axis) => assert.ok(Math.abs(point[axis] - value) < 6e-6));
    assert.ok(Math.abs(impulse - strength) < 1e-6);
  });
  await page.keyboard.press('n');
  const { nodes } = await page.evaluate(() => window.carom.playback.tree);
  assert.match(await page.locator('#tree-panel output').textContent(),
    new RegExp(`points · all ${nodes.toLocaleString('en')} nodes$`));
});

fineTest('changes what is on the screen as time goes on', 'golf.html', 't=0', async (page) => {
  const clip = { x: 0, y: 50, width: 720, height: 300 };
  const shot = async () => {
    await page.waitForTimeout(300);
    return page.screenshot({ clip });
  };
  const start = await shot();
  await scrub(page, 400);
  const end = await shot();
  assert.ok(!start.equals(end));
  await scrub(page, 0);
  assert.ok(start.equals(await shot()), 'the same moment gives the same picture');
});

pageTest('is used by keyboard alone', 'golf.html', 't=1', async (page) => {
  const press = (key) => page.keyboard.press(key);
  const frame = () => page.evaluate(() => Math.round(window.carom.frame));
  await press('ArrowRight');
  assert.equal(await frame(), 61);
  await press('ArrowLeft');
  await press('ArrowLeft');
  assert.equal(await frame(), 59);
  await press('Shift+ArrowRight');
  assert.equal(await frame(), 119);
  await press(']'); // the putt
  assert.equal(await frame(), 120);
  await press('[');
  assert.equal(await frame(), 114);
  await press('End');
  assert.equal(await frame(), 419);
  await press('Home');
  assert.equal(await frame(), 0);
  await press('Space');
  await page.waitForFunction(() => window.carom.frame > 1);
  await press('Space');
  assert.equal((await state(page)).playing, false);
  await press(',');
  assert.equal((await state(page)).speed, 0.5);
  for (const [key, name] of [['t', 'top'], ['p', 'paths']]) {
    const was = (await state(page))[name];
    await press(key);
    assert.equal((await state(page))[name], !was);
  }
  const light = await page.evaluate(() => getComputedStyle(document.body).color);
  await press('y');
  assert.equal((await state(page)).theme, 'dark');
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.body).color), light);
  const camera = () => page.evaluate(() => window.carom.stage.cameras.orbit.position.toArray());
  await press('t');
  const before = await camera();
  for (const key of ['a', 'w', 'ArrowUp', 'D']) await press(key);
  assert.notDeepEqual(await camera(), before);
  await press('b');
  await page.waitForFunction(() => document.querySelector('#selected')?.textContent);
  assert.equal(await page.locator('#selected').textContent(), 'green');
  await press('o');
  assert.ok(await page.locator('#graphs').isVisible());
  await press('?');
  assert.ok(await page.locator('#help').isVisible());
  assert.ok((await page.locator('#help dt').count()) > 15);
  await press('Escape');
  assert.ok(!(await page.locator('#help').isVisible()));
});

pageTest('names what the mouse points at', 'golf.html', 't=0', async (page) => {
  const spot = (name) => page.evaluate((wanted) => {
    const { carom } = window;
    carom.render();
    const at = carom.stage.cameras.camera.position.clone().set(...carom.drawnAt(wanted))
      .project(carom.stage.cameras.camera);
    const { rect } = carom.frames()[0];
    return [rect.x + ((at.x + 1) / 2) * rect.width, rect.y + ((1 - at.y) / 2) * rect.height];
  }, name);
  await page.mouse.move(...await spot('windmill'));
  assert.match(await page.locator('#tip').textContent(), /^windmill · .*\((hub|bar)\)$/);
  await page.mouse.move(...await spot('robot'));
  assert.match(await page.locator('#tip').textContent(), /^robot · \(-1\.90, 0\.40, 0\.07\) m · 0\.00 m\/s/);
  await page.mouse.click(...await spot('robot'));
  assert.match(await page.locator('#selected').textContent(), /^robot · \(/);
  const line = await page.locator('#timeline canvas').boundingBox();
  await page.mouse.move(line.x + line.width * 0.4, line.y + 31);
  assert.match(await page.locator('#tip').textContent(), /^golfer: approach · 0\.50 to 1\.90 s$/);
  await page.mouse.click(line.x + line.width * 0.6, line.y + 31);
  assert.ok((await state(page)).seconds > 2);
});

fineTest('draws 400 bodies in at most 20 draw calls', 'dice.html', 't=1', async (page) => {
  const calls = await page.evaluate(() => window.carom.calls);
  const withPaths = await page.evaluate(() => {
    window.carom.store.set({ paths: true });
    return window.carom.calls;
  });
  const { size } = statSync(file('dice.html'));
  console.log(`400 bodies, 600 frames: ${size} bytes, ${calls} draw calls, ${withPaths} with all paths`);
  assert.ok(calls > 2 && calls <= 20 && withPaths <= 20);
  const [, { frame, places }] = expected('dice').worlds[0];
  await scrub(page, frame);
  await assertAt(page, 'die 0', places[0]);
  await assertAt(page, 'die 399', places[399]);
});

pageTest('shows and grows a tree of 100 000 nodes', 'tree.html', 't=1', async (page) => {
  const shown = () => page.evaluate(() => window.carom.stage.tree.shown);
  const off = await page.evaluate(() => window.carom.calls);
  await page.keyboard.press('n');
  assert.equal(await page.evaluate(() => window.carom.calls), off + 2);
  assert.equal(await shown(), 100000);
  assert.ok(await page.locator('#tree-panel').isVisible());
  assert.equal(await page.locator('#tree-panel output').textContent(),
    '100,000 points · 25,000 of 100,000 nodes');
  await page.locator('#tree-panel input').fill('0.25');
  assert.ok(Math.abs(await shown() - 25000) < 10);
  await page.keyboard.press('u');
  await page.waitForFunction(() => window.carom.store.state.growth > 0.02);
  assert.ok(await shown() < 100000);
});

pageTest('filters, sorts, keeps and compares worlds', 'worlds.html', 't=2&gallery', async (page) => {
  const choose = (label, text) => page.getByLabel(label, { exact: true }).selectOption({ label: text });
  const add = () => page.locator('#rule button').click();
  const titles = () => page.locator('.tile strong').allTextContents();
  assert.equal(await tiles(page), 12);
  assert.equal((await titles())[0], 'solution 1');
  await choose('To what', 'windmill');
  await add();
  assert.deepEqual(await titles(), ['solution 1', 'solution 4', 'solution 7', 'solution 10']);
  await page.locator('#chips button').click();
  assert.equal(await tiles(page), 12);
  await choose('Who', 'ball');
  await choose('Does what', 'never touches');
  await add();
  assert.equal(await tiles(page), 8);
  await choose('To what', 'east wall');
  await add();
  assert.deepEqual(await titles(), ['solution 3', 'solution 6', 'solution 9', 'solution 12']);
  await page.getByLabel('Keep solution 6').click();
  assert.deepEqual((await state(page)).kept, [5]);
  await page.locator('#sort').selectOption('length');
  const sorted = await titles();
  assert.deepEqual([...sorted].sort(), ['solution 12', 'solution 3', 'solution 6', 'solution 9']);
  await page.getByLabel('Open solution 3').click();
  const [, { frame, places }] = expected('worlds').worlds[2];
  await scrub(page, frame);
  await assertAt(page, 'ball', places[0]);
  await page.keyboard.press('c');
  assert.equal(await page.evaluate(() => window.carom.frames().length), 2);
  assert.equal(await page.locator('#cards .world').count(), 2);
});

pageTest('filters by a place drawn with the mouse', 'worlds.html', 't=2&gallery', async (page) => {
  await page.getByLabel('Who').selectOption({ label: 'ball' });
  await page.getByLabel('Does what').selectOption('passes');
  await page.locator('#rule button').click();
  assert.equal((await state(page)).mode, 'draw');
  const at = (x, y) => page.evaluate(([wx, wy]) => {
    const { carom } = window;
    carom.render();
    const point = carom.stage.cameras.above.position.clone().set(wx, wy, 0)
      .project(carom.stage.cameras.above);
    const { rect } = carom.frames()[0];
    return [rect.x + ((point.x + 1) / 2) * rect.width, rect.y + ((1 - point.y) / 2) * rect.height];
  }, [x, y]);
  // The north side, where only the balls off the north wall come.
  const from = await at(-1, 0.8), to = await at(0.4, 1);
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move((from[0] + to[0]) / 2, to[1], { steps: 3 });
  await page.mouse.move(...to);
  await page.mouse.up();
  const { rules: [rule], mode } = await state(page);
  assert.equal(mode, 'gallery');
  assert.ok(Math.abs(rule.box.x0 + 1) < 0.02 && Math.abs(rule.box.y1 - 1) < 0.02);
  const titles = await page.locator('.tile strong').allTextContents();
  assert.deepEqual(titles, ['solution 2', 'solution 5', 'solution 8', 'solution 11']);
});

pageTest('browses worlds by keyboard alone', 'worlds.html', 't=2', async (page) => {
  const press = (key) => page.keyboard.press(key);
  await press('j');
  assert.equal((await state(page)).world, 1);
  await press('m');
  assert.deepEqual((await state(page)).kept, [1]);
  await press('g');
  assert.equal((await state(page)).mode, 'gallery');
  assert.equal(await page.evaluate(() => document.activeElement.className), 'shot');
  await press('f');
  assert.equal(await page.evaluate(() => document.activeElement.ariaLabel), 'Who');
  await page.getByLabel('Does what').focus();
  await page.getByLabel('Does what').selectOption('misses');
  await page.locator('#rule button').focus();
  await press('Enter');
  assert.equal((await state(page)).mode, 'draw');
  for (const key of ['ArrowUp', 'Shift+ArrowRight', 'ArrowLeft']) await press(key);
  await press('Enter');
  const { rules, mode } = await state(page);
  assert.equal(mode, 'gallery');
  assert.equal(rules.length, 1);
  assert.equal(rules[0].kind, 'misses');
  assert.ok(await tiles(page) < 12);
  await press('Escape');
  assert.equal((await state(page)).mode, 'stage');
});

pageTest('saves the kept worlds as a page of their own', 'worlds.html', 't=2', async (page) => {
  await page.evaluate(() => { window.carom.keep(4); window.carom.keep(7); });
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('x')]);
  const path = file('kept.html');
  await download.saveAs(path);
  const kept = await open(browser, path, 't=0');
  const [, { frame, places }] = expected('worlds').worlds[7];
  assert.deepEqual(await kept.page.evaluate(() => window.carom.playback.worlds.map((w) => w.title)),
    ['solution 5', 'solution 8']);
  await kept.page.keyboard.press('j');
  await kept.page.locator('#scrub').fill(String(frame));
  await assertAt(kept.page, 'ball', places[0]);
  assert.deepEqual(kept.errors, []);
  await kept.page.close();
  rmSync(path);
});

pageTest('shows channels and lines', 'race.html', 't=5&graphs', async (page) => {
  const ink = () => page.evaluate(() => {
    const canvas = document.querySelector('#graphs canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return data.filter((value, i) => i % 4 === 3 && value > 0).length;
  });
  await page.waitForFunction(() => document.querySelector('#graphs canvas').width > 400);
  assert.ok(await ink() > 2000);
  const box = await page.locator('#graphs canvas').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + 40);
  assert.match(await page.locator('#tip').textContent(), /^\d+\.\d\d s · speed \d+\.\d+$/);
});

// ------------------------------------------------------------------------------------------
// Looks.

pageTest('marks the goal, lists it, and dresses the scene', 'plan.html', 't=1', async (page) => {
  const { goals, finishes, marks } = await page.evaluate(() => {
    const { playback } = window.carom;
    return {
      goals: playback.goals.map((i) => playback.regions[i].name), marks: playback.marks.length,
      finishes: playback.dresses.map(({ body, finish }) => `${playback.bodies[body].name} ${finish}`),
    };
  });
  assert.deepEqual(goals, ['hole']);
  assert.ok(finishes.includes('ball golf') && finishes.includes('north wood') && marks > 5);
  await page.locator('#legend summary').click();
  assert.match(await page.locator('#legend').textContent(), /goal: hole.*path of ball.*regions of the search: tee, aim, course/);
});

fineTest('gives tree and plan different colours', 'plan.html', 't=1&tree', async (page) => {
  const away = await page.evaluate(() => {
    const { tree } = window.carom.stage, { bodies } = window.carom.playback;
    const { array } = tree.points.geometry.attributes.color;
    const bytes = (hex) => [hex >> 16, (hex >> 8) & 255, hex & 255].map((v) => (v / 255) ** 2.2);
    return Math.min(...bodies.filter(({ track }) => track >= 0).flatMap(({ color }) => [0, array.length / 3 - 1]
      .map((i) => Math.hypot(...bytes(color).map((v, k) => v - array[3 * i + k])))));
  });
  assert.ok(away > 0.2, `a body and the tree differ by ${away}`);
});

pageTest('draws a zoom while it is paused', 'golf.html', 't=1', async (page) => {
  const frames = () => page.evaluate(() => window.carom.stage.renderer.info.render.frame);
  await page.waitForTimeout(400);
  const rest = await frames();
  await page.waitForTimeout(200);
  assert.equal(await frames(), rest, 'nothing is drawn while nothing changes');
  await page.mouse.move(300, 200);
  await page.waitForTimeout(100);
  const hovered = await frames();
  await page.mouse.wheel(0, -300);
  await page.waitForFunction((before) => window.carom.stage.renderer.info.render.frame > before, hovered);
});

// Two faces at one height flicker when the view turns, unless one leaves the depth alone and is
// shifted toward the eye: ground and marks, which are drawn before all else, in their order.
fineTest('has no two faces that flicker', 'plan.html', 't=0', async (page) => {
  const layers = await page.evaluate(() => {
    const found = [];
    window.carom.stage.scene.traverseVisible((mesh) => {
      if (mesh.isMesh && mesh.renderOrder < 0) {
        const { depthWrite, polygonOffset, polygonOffsetFactor } = mesh.material;
        found.push({ order: mesh.renderOrder, depthWrite, polygonOffset, nearer: -polygonOffsetFactor });
      }
    });
    return found.sort((a, b) => a.order - b.order);
  });
  assert.ok(layers.length >= 2, 'there are marks on the ground');
  layers.forEach((layer, i) => {
    assert.ok(!layer.depthWrite && layer.polygonOffset, `layer ${i} competes in depth`);
    assert.ok(i === 0 || (layer.order > layers[i - 1].order && layer.nearer >= layers[i - 1].nearer));
  });
});

fineTest('draws coarsely while it plays and frames take long', 'golf.html', 't=1', async (page) => {
  const ratio = () => page.evaluate(() => window.carom.stage.renderer.getPixelRatio());
  const slow = (playing) => page.evaluate((play) => {
    window.carom.store.set({ playing: play });
    for (let i = 0; i < 5; i++) window.carom.keepPace(0.4);
  }, playing);
  await slow(false);
  assert.equal(await ratio(), 1, 'what stands is drawn finely');
  await slow(true);
  assert.equal(await ratio(), 0.5);
  await page.keyboard.press('Space');
  await page.waitForFunction(() => window.carom.stage.renderer.getPixelRatio() === 1);
  await slow(true);
  const width = await page.evaluate(() => {
    window.carom.film.prepare({ fps: 5, speed: 1, at: 1, slow: false, dark: false, tree: false, camera: '', tint: '' });
    return document.getElementById('view').width;
  });
  assert.equal(width, 720, 'films are fine');
});

pageTest('paints the time line once and moves its line', 'golf.html', 't=0', async (page) => {
  await page.waitForFunction(() => document.querySelector('#timeline canvas').width > 400);
  const at = () => page.evaluate(() => document.querySelector('#timeline + .now').getBoundingClientRect().x);
  await scrub(page, 0);
  await page.evaluate(() => window.carom.render());
  const first = await at();
  const painted = await page.evaluate(() => {
    let calls = 0;
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function count(...text) { calls++; fillText.apply(this, text); };
    for (let f = 0; f < 420; f++) {
      window.carom.store.set({ seconds: f / 60 });
      window.carom.timeline.draw();
    }
    return calls;
  });
  assert.equal(painted, 0);
  const { x, width } = await page.locator('#timeline canvas').boundingBox();
  const last = await at();
  assert.ok(first > x && first < x + 0.3 * width && Math.abs(last - (x + width - 14)) < 3, `from ${first} to ${last}`);
});

// ------------------------------------------------------------------------------------------
// Watching.

// Where a body is in the picture, from -1 to 1, and the share of the height that it takes.
const seen = (page, name) => page.evaluate((wanted) => {
  const { carom } = window;
  const at = carom.drawnAt(wanted), { camera } = carom.stage.cameras;
  camera.updateMatrixWorld();
  const middle = camera.position.clone().set(...at).project(camera);
  const top = camera.position.clone().set(at[0], at[1], at[2] + 1).project(camera);
  return [middle.x, middle.y, Math.abs(top.y - middle.y) / 2];
}, name);

pageTest('follows a car, rides along and goes around', 'drive.html', 't=3', async (page) => {
  const [x, y, size] = await seen(page, 'car');
  assert.ok(Math.abs(x) < 0.05 && Math.abs(y) < 0.05, `the car is at ${x}, ${y}`);
  assert.ok(size > 0.02, `a metre of the car is ${size} of the picture`);
  await page.keyboard.press('v');
  assert.equal((await state(page)).camera, 'ride');
  const near = await seen(page, 'car');
  assert.ok(Math.abs(near[0]) < 0.3 && near[2] > size);
  await page.evaluate(() => window.carom.seek(20));
  const later = await seen(page, 'car');
  assert.ok(Math.abs(later[0]) < 0.3 && later[2] > size, `the car is at ${later}`);
  await page.getByLabel('Camera').selectOption('around');
  const place = () => page.evaluate(() => { window.carom.render(); return window.carom.stage.cameras.orbit.position.toArray(); });
  const before = await place();
  await page.evaluate(() => window.carom.seek(22));
  assert.notDeepEqual(await place(), before);
});

pageTest('looks from the robot', 'plan.html', 't=0.2&camera=eyes', async (page) => {
  const [away, ahead] = await page.evaluate(() => {
    const { carom } = window, at = carom.drawnAt('robot'), { camera } = carom.stage.cameras;
    const line = camera.getWorldDirection(camera.position.clone());
    return [Math.hypot(...camera.position.toArray().map((v, i) => v - at[i])), line.z];
  });
  assert.ok(away < 0.2 && ahead > -0.5 && ahead < 0, `${away} m away, looking down by ${ahead}`);
});

// ------------------------------------------------------------------------------------------
// Why branches ended.

pageTest('says why each branch died', 'gate.html', 't=1&tree', async (page) => {
  const told = readFileSync(file('gate.txt'), 'utf8');
  const [, ended, broke] = /(\d+) ended, (\d+) broke a rule/.exec(told).map(Number);
  const { dead, reasons, ends } = await page.evaluate(() => {
    const { dead: counts, reasons: why, ends: { reason, count } } = window.carom.playback.tree;
    return { dead: counts, reasons: why, ends: { reason: [...reason], count } };
  });
  assert.deepEqual(dead, [broke, 0, ended]);
  assert.ok(ends.count > 100 && ends.reason.every((each) => each >= -1 && each < reasons.length));
  const [rule] = reasons.filter(({ kind }) => kind === 'rule');
  assert.match(rule.text, /^broke the rule never \{touch: \[ball, windmill\]\}$/);
  // By keyboard: the way to it, and the sentence.
  await page.keyboard.press('E');
  assert.match(await page.locator('#why span').textContent(), /: (broke the rule|a Skill ended it|reached the goal).* at \(/);
  assert.ok(await page.evaluate(() => window.carom.stage.tree.ends.group.children.some((each) => each.isLineSegments2 && each.visible)));
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#why').count(), 0);
});

pageTest('tells by hovering and clicking why a branch died', 'gate.html', 't=1&tree&top', async (page) => {
  const spot = await page.evaluate(() => {
    const { carom } = window, { tree, regions } = carom.playback, { ends } = tree;
    carom.render();
    const { camera } = carom.stage.cameras, { rect } = carom.frames()[0];
    const died = [...ends.reason.keys()].filter((i) => tree.reasons[ends.reason[i]]?.kind === 'rule' && regions);
    for (const i of died) {
      const at = camera.position.clone().set(...ends.place.map((axis) => axis[i])).project(camera);
      const x = rect.x + ((at.x + 1) / 2) * rect.width, y = rect.y + ((1 - at.y) / 2) * rect.height;
      if (document.elementFromPoint(x, y)?.id === 'stage') return [x, y];
    }
    return null;
  });
  await page.mouse.move(...spot);
  assert.match(await page.locator('#tip').textContent(), /^a branch that died: broke the rule never/);
  await page.mouse.click(...spot);
  assert.match(await page.locator('#why').textContent(), /^a branch that died: broke the rule never .* · after \d+ kept branches/);
});

pageTest('leaves out the branches that ended for a reason', 'gate.html', 't=1&tree', async (page) => {
  const shown = () => page.evaluate(() => { window.carom.render(); return window.carom.stage.tree.ends.shown; });
  const all = await shown();
  await page.locator('#reasons summary').click();
  await page.getByLabel(/broke the rule never \{touch: \[ball, windmill\]\}/).uncheck();
  const few = await shown();
  assert.ok(few > 0 && few < all / 2, `${few} of ${all}`);
  await page.getByLabel(/broke the rule never \{touch: \[ball, windmill\]\}/).check();
  await page.evaluate(() => window.carom.store.set({ growth: 0.3 }));
  const early = await shown();
  assert.ok(early > 0 && early < all, `${early} of ${all} after a third of the search`);
});

pageTest('colours the path by speed and slip', 'drive.html', 't=30', async (page) => {
  assert.equal((await state(page)).tint, 'speed');
  await page.locator('#legend summary').click();
  assert.match(await page.locator('#legend').textContent(), /31\.\d m\/s/);
  await page.getByLabel('Colour of the paths').selectOption('slip');
  assert.match(await page.locator('#legend').textContent(), /40°/);
  assert.ok(await page.evaluate(() => window.carom.calls > 0));
});

pageTest('goes slowly where bodies touch', 'plan.html', 't=0', async (page) => {
  const [near, far] = await page.evaluate(() => {
    const { carom } = window, [world] = carom.playback.worlds;
    const hit = world.meetings.find(({ impulse }) => impulse > 0.05).from * carom.playback.frameSeconds;
    return [carom.slow.factor(world, hit), carom.slow.factor(world, 0)];
  });
  assert.ok(near < 0.15 && far === 1);
  await page.keyboard.press('z');
  assert.equal((await state(page)).slow, true);
});

// ------------------------------------------------------------------------------------------
// Reading.

pageTest('lights the Skill that a Tactic is in', 'plan.html', 't=0&tactics', async (page) => {
  const spans = await page.evaluate(() => window.carom.playback.worlds[0].spans);
  for (const { row, label, from, to } of spans.filter((span) => span.to > span.from)) {
    await scrub(page, Math.floor((from + to) / 2));
    await page.evaluate(() => window.carom.render());
    const lit = await page.locator('#tactics figure', { hasText: row }).locator('.skill.lit title').allTextContents();
    assert.deepEqual(lit, [label]);
  }
});

pageTest('counts laps as the command line does', 'drive.html', 't=0&tables', async (page) => {
  const told = readFileSync(file('drive.txt'), 'utf8');
  const [, first, best] = /the first ([\d.]+) s, the best ([\d.]+) s/.exec(told);
  const rows = await page.locator('#tables table', { hasText: 'Laps' }).locator('tbody tr').allTextContents();
  const times = await page.evaluate(() => [...document.querySelectorAll('#tables table')]
    .find((table) => table.caption.textContent === 'Laps').querySelectorAll('tbody tr td:nth-of-type(2)').values()
    .map((cell) => cell.textContent).toArray());
  assert.equal(rows.length, 2);
  assert.equal(times[0], Number(first).toFixed(2));
  assert.equal(Math.min(...times.map(Number)).toFixed(2), Number(best).toFixed(2));
});

pageTest('draws graphs over time and over the way', 'drive.html', 't=4&graphs', async (page) => {
  assert.equal((await page.evaluate(() => window.carom.graphs.titles))[1], 'behind the best lap, s');
  await page.keyboard.press('=');
  assert.equal((await state(page)).axis, 'distance');
  const box = await page.locator('#graphs canvas').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + 40);
  assert.match(await page.locator('#tip').textContent(), /^\d+\.\d\d s · \d+\.\d m · car \d+\.\d+/);
});

// A rope of two metres from a place in the world to the middle of a ball.
pageTest('draws a rope from its anchor to its body', 'swing.html', 't=0.5', async (page) => {
  for (const seconds of [0, 0.5, 1.5]) {
    const { rope: [from, to], ball } = await page.evaluate((at) => {
      window.carom.store.set({ seconds: at, playing: false });
      window.carom.render();
      return { rope: window.carom.stage.bodies.ropes.drawn[0], ball: window.carom.drawnAt('ball') };
    }, seconds);
    [0, 0, 2.1].forEach((value, axis) => assert.ok(Math.abs(from[axis] - value) < 1e-4, `it begins at ${from}`));
    ball.forEach((value, axis) => assert.ok(Math.abs(to[axis] - value) < 1e-4, `it ends at ${to}, the ball is at ${ball}`));
  }
});

pageTest('has the values of an arm\'s joints', 'reach.html', 't=1&graphs', async (page) => {
  assert.deepEqual(await page.evaluate(() => window.carom.graphs.titles), ['joints, rad']);
  assert.equal(await page.evaluate(() => window.carom.graphs.graphs[0].curves.length), 6);
});

pageTest('has three sectors a lap that add up', 'drive.html', 't=0&tables', async (page) => {
  const [head, first] = await page.evaluate(() => {
    const laps = [...document.querySelectorAll('#tables table')].find((table) => table.caption.textContent === 'Laps');
    const texts = (row) => [...row.children].map((cell) => cell.textContent);
    return [texts(laps.tHead.rows[0]), texts(laps.tBodies[0].rows[0])];
  });
  const sectors = head.map((text, i) => [text, Number(first[i])]).filter(([text]) => /sector/i.test(text)).map(([, value]) => value);
  assert.equal(sectors.length, 3, head.join(' | '));
  const lap = Number(first[head.findIndex((text) => text === 'time, s')]);
  assert.ok(Math.abs(sectors.reduce((sum, value) => sum + value, 0) - lap) < 0.02, `${first}`);
});

pageTest('puts two solutions on one axis', 'worlds.html', 't=2&graphs&world=2&beside=3', async (page) => {
  const worlds = await page.evaluate(() => [...new Set(window.carom.graphs.graphs[0].curves.map(({ world }) => world.title))]);
  assert.deepEqual(worlds, ['solution 2', 'solution 3']);
});

pageTest('has the contacts of the plan as a table', 'plan.html', 't=0&tables', async (page) => {
  const contacts = table('plan.contacts.csv');
  const rows = page.locator('#tables table', { hasText: 'Contacts' }).locator('tbody tr');
  assert.equal(await rows.count(), contacts.length);
  const cells = await rows.first().locator('th, td').allTextContents();
  const [time, a, b, x, y, z, impulse] = contacts[0];
  assert.deepEqual(cells, [Number(time).toFixed(3), a, b,
    [x, y, z].map((v) => Number(v).toFixed(3)).join(', '), Number(impulse).toFixed(4)]);
  await rows.last().locator('button').click();
  assert.ok(Math.abs((await state(page)).seconds - Number(contacts.at(-1)[0])) < 1e-3);
});

// ------------------------------------------------------------------------------------------
// Reaching everyone.

pageTest('draws from above where there is no WebGL', 'plan.html', 't=1&flat&tables', async (page) => {
  assert.ok(await page.evaluate(() => window.carom.stage.flat));
  for (const row of table('plan.csv').filter(([time]) => Number(time) === 1)) {
    await assertAt(page, row[1], row.slice(2, 5).map(Number));
  }
  const colors = await page.evaluate(() => {
    const canvas = document.getElementById('view');
    const { data } = canvas.getContext('2d').getImageData(0, 60, canvas.width, 200);
    const found = new Set();
    for (let i = 0; i < data.length; i += 4) found.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    return found.size;
  });
  assert.ok(colors > 10, `only ${colors} colours`);
  for (const key of ['ArrowRight', 'a', 'ArrowUp', 't', 'r', 'n', 'b']) await page.keyboard.press(key);
  assert.ok((await page.locator('#tables tbody tr').count()) > 3);
});

async function serious(page) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join('; ')}`);
}

pageTest('has no serious fault that axe finds', 'worlds.html', 't=2&tree&graphs', async (page) => {
  await page.locator('#legend summary').click();
  assert.deepEqual(await serious(page), []);
  await page.keyboard.press('y');
  await page.keyboard.press('g');
  assert.deepEqual(await serious(page), [], 'dark, gallery');
});

pageTest('has no serious fault where it says why branches ended', 'gate.html', 't=1&tree', async (page) => {
  await page.locator('#reasons summary').click();
  await page.keyboard.press('E');
  assert.ok(await page.locator('#why').isVisible());
  assert.deepEqual(await serious(page), []);
});

pageTest('has no serious fault in tables and Tactics', 'plan.html', 't=1&tables', async (page) => {
  await page.keyboard.press('b');
  assert.deepEqual(await serious(page), []);
  await page.keyboard.press('q');
  await page.keyboard.press('y');
  assert.deepEqual(await serious(page), [], 'dark, Tactics');
});

pageTest('reaches every control with Tab', 'worlds.html', 't=2&tree&graphs', async (page) => {
  await page.locator('#legend summary').click();
  const wanted = await page.evaluate(() => [...document.querySelectorAll('button, select, input, summary')]
    .filter((each) => each.checkVisibility() && !each.disabled && !each.closest('dialog'))
    .map((each, i) => { each.dataset.number = i; return `${i} ${each.tagName} ${each.ariaLabel ?? each.textContent}`; }));
  const reached = new Set();
  for (let i = 0; i < wanted.length + 12; i++) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => document.activeElement.dataset.number));
  }
  assert.deepEqual(wanted.filter((_, i) => !reached.has(String(i))), []);
});

pageTest('shows the texts of the gallery whole', 'worlds.html', 't=2&gallery', async (page) => {
  const cut = await page.evaluate(() => [...document.querySelectorAll('.tile .label *')]
    .filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0).map((each) => each.textContent));
  assert.deepEqual(cut, []);
}, { width: 390, height: 780 });

pageTest('fits a phone on its side', 'plan.html', 't=1', async (page) => {
  const { width, height } = await page.locator('#stage').boundingBox();
  assert.ok(width >= 780 && height >= 240, `the scene has ${width} x ${height}`);
  const box = await page.locator('#tools').boundingBox();
  assert.ok(box.x + box.width <= 781);
}, { width: 780, height: 390 });

// The ghost is where the plan has the body, and as far off as the run itself noted.
pageTest('shows a run beside its plans', 'run.html', 't=0', async (page) => {
  const { worlds, plans, spans } = await page.evaluate(() => {
    const { playback } = window.carom;
    return { worlds: playback.worlds.length, plans: playback.plans.map(({ from }) => from),
      spans: playback.worlds[0].spans.filter(({ row }) => row === 'plans').map(({ from }) => from) };
  });
  assert.equal(worlds, 1, 'plans are no worlds of their own');
  assert.ok(plans.length > 3, `there are ${plans.length} plans`);
  assert.deepEqual(spans, plans, 'each plan has its place on the time line');
  let most = 0;
  for (const frame of [0, plans[1] - 1, plans[1], plans[2] + 4, plans[3] + 9]) {
    await scrub(page, frame);
    const { away, noted } = await page.evaluate(() => {
      const { carom } = window, { bodies, moving, worlds: [world] } = carom.playback;
      const off = (name) => world.channels.find((channel) => channel.name === `off plan: ${name}`).values[Math.round(carom.frame)];
      const gap = (body) => {
        const [a, b] = [carom.drawnAt(bodies[body].name), carom.stage.ghosts.drawnAt(body)];
        return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
      };
      return { away: moving.map(gap), noted: moving.map((body) => off(bodies[body].name)) };
    });
    away.forEach((gap, i) => assert.ok(Math.abs(gap - noted[i]) < 1e-4, `frame ${frame}: drawn ${gap} off, noted ${noted[i]}`));
    most = Math.max(most, ...away);
  }
  assert.ok(most > 0.01, 'the world strays from its plans');
  await page.evaluate(() => { document.getElementById('legend').open = true; });
  assert.match(await page.locator('#plan-now').textContent(), /^plan 4 of \d+, made at [\d.]+ s: off by [\d.]+ m at most$/);
  const ghosts = page.locator('#legend').getByLabel(/ghosts: its \d+ plans/);
  assert.ok(await ghosts.isChecked());
  await page.keyboard.press('P');
  assert.equal(await page.evaluate(() => { window.carom.render(); return window.carom.stage.ghosts.drawnAt(window.carom.playback.moving[0]); }), null);
  assert.ok(!await ghosts.isChecked());
  assert.equal(await page.evaluate(() => window.carom.graphs.titles[0]), 'off the plan, m');
});

test('pages stay small', () => {
  for (const [name, most] of [['golf', 2e6], ['worlds', 2e6], ['plan', 2e6], ['drive', 2e6], ['tree', 2e6], ['gate', 2e6], ['reach', 2e6], ['dice', 5e6]]) {
    const { size } = statSync(file(`${name}.html`));
    assert.ok(size <= most, `${name}.html has ${size} bytes`);
  }
});

pageTest('draws the speed once', 'drive.html', 't=1&graphs', async (page) => {
  const titles = () => page.evaluate(() => window.carom.graphs.titles);
  assert.deepEqual(await titles(),
    ['speed, m/s', 'behind the best lap, s', 'slip angle, deg', 'steering, deg', 'throttle, %', 'brake, %']);
});

pageTest('shows a scene in which nothing moves', 'still.html', '', async (page) => {
  await assertAt(page, 'crate', [0, 0, 0.25]);
  for (const key of ['ArrowRight', 'End', 'Space', 'o', 'n', 'c', 'g', 'j', ']']) {
    await page.keyboard.press(key);
  }
  await page.mouse.move(360, 250);
  assert.equal((await state(page)).seconds, 0);
});

pageTest('takes hostile names as text', 'hostile.html', 't=0', async (page) => {
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.match(await page.title(), /^<\/title><script>/);
  await page.keyboard.press('g');
  for (let i = 0; i < 8; i++) await page.keyboard.press('b');
  await page.keyboard.press('Escape');
  await page.waitForTimeout(100);
  assert.equal(await page.locator('img').count(), 0);
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.match(await page.locator('h1').textContent(), /<script>window\.broken=1<\/script>/);
});

pageTest('is readable on a phone', 'worlds.html', 't=2', async (page) => {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `the page is ${wide} wide`);
  for (const selector of ['#play', '#scrub', '#clock', '#tools', '#cards .world']) {
    const box = await page.locator(selector).first().boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 391, `${selector} is cut off`);
  }
  await page.keyboard.press('g');
  const box = await page.locator('.tile').first().boundingBox();
  assert.ok(box.width >= 150 && box.x + box.width <= 391);
}, { width: 390, height: 780 });
