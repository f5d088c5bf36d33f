// node glb.test.mjs FOLDER: every .glb passes the Khronos validator, and its nodes end where the
// playback ends.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import validator from 'gltf-validator';

const folder = resolve(process.argv[2]);

// The JSON of a .glb, and a function that reads an accessor of floats.
function parse(bytes) {
  const length = bytes.readUInt32LE(12);
  const json = JSON.parse(bytes.subarray(20, 20 + length).toString('utf8'));
  const start = 20 + length + 8;
  const floats = (index) => {
    const { bufferView, count, type } = json.accessors[index];
    const width = { SCALAR: 1, VEC3: 3, VEC4: 4 }[type];
    const at = start + json.bufferViews[bufferView].byteOffset;
    return Array.from({ length: count * width }, (_, i) => bytes.readFloatLE(at + 4 * i));
  };
  return { json, floats };
}

const names = readdirSync(folder).filter((name) => name.endsWith('.glb'));
assert.ok(names.length > 0, `no .glb in ${folder}`);

// Where the moving bodies are in the last frame: as make_pages says, or as the table of a plan's states says.
function lastPlaces(name) {
  const file = (ending) => join(folder, name.replace(/glb$/, ending));
  if (existsSync(file('json'))) {
    return JSON.parse(readFileSync(file('json'))).worlds[0].at(-1).places;
  }
  const rows = readFileSync(file('csv'), 'utf8').trim().split('\n').map((line) => line.split(','));
  return rows.filter(([time]) => time === rows.at(-1)[0]).map((row) => row.slice(2, 5).map(Number));
}

// Every frame of the plan: its time, and where its bodies are, as floats.
test('plan.glb has the frames of the table of states', () => {
  const { json, floats } = parse(readFileSync(join(folder, 'plan.glb')));
  const rows = readFileSync(join(folder, 'plan.csv'), 'utf8').trim().split('\n').slice(1)
    .map((line) => line.split(','));
  const times = [...new Set(rows.map(([time]) => Math.fround(Number(time))))];
  const [{ channels, samplers }] = json.animations;
  for (const { sampler, target } of channels.filter((each) => each.target.path === 'translation')) {
    assert.deepEqual(floats(samplers[sampler].input), times);
    const places = floats(samplers[sampler].output);
    const own = rows.filter(([, body]) => body === json.nodes[target.node].name);
    assert.equal(own.length, times.length);
    own.forEach((row, frame) => {
      const [x, y, z] = row.slice(2, 5).map((value) => Math.fround(Number(value)));
      assert.deepEqual(places.slice(3 * frame, 3 * frame + 3).map((v) => v + 0), [x, z, -y].map((v) => v + 0));
    });
  }
});

for (const name of names) {
  test(`${name} is valid`, async () => {
    const { issues } = await validator.validateBytes(new Uint8Array(readFileSync(join(folder, name))));
    assert.deepEqual([issues.numErrors, issues.numWarnings], [0, 0], JSON.stringify(issues.messages));
  });

  test(`${name} ends where the playback ends`, () => {
    const { json, floats } = parse(readFileSync(join(folder, name)));
    const places = lastPlaces(name);
    if (places.length === 0) {
      assert.equal(json.animations, undefined);
      return;
    }
    const [animation] = json.animations;
    const moves = animation.channels.filter(({ target }) => target.path === 'translation');
    assert.equal(moves.length, places.length);
    assert.equal(animation.channels.length, 2 * places.length);
    moves.forEach(({ sampler }, track) => {
      const [x, y, z] = floats(animation.samplers[sampler].output).slice(-3);
      // y up: (x, y, z) of the playback is (x, z, -y) of the file.
      const wanted = places[track];
      [x, -z, y].forEach((value, axis) => assert.ok(Math.abs(value - wanted[axis]) < 1e-5));
    });
  });
}
