// node run.mjs TEST FOLDER [CAROM]: run a test file on the pages in FOLDER. node run.mjs types: check the
// types of the page. 77 if something it needs is missing.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import process from 'node:process';

const here = dirname(fileURLToPath(import.meta.url));
const [name, folder, ...more] = process.argv.slice(2);
const film = name.startsWith('film'), page = film || name.startsWith('page');

function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(77);
}

if (!existsSync(join(here, '../node_modules/gltf-validator'))) skip('the npm packages are missing');
if (page && !existsSync(process.env.CHROMIUM ?? '/usr/bin/chromium')) skip('there is no chromium');
if (page && !existsSync(join(folder, 'golf.html'))) skip('this build has no page');

if (film && spawnSync('ffprobe', ['-version']).error) skip('there is no ffmpeg');

const types = [join(here, '../node_modules/typescript/bin/tsc'), '--noEmit', '-p', join(here, '..')];
const command = name === 'types' ? types : [join(here, name), folder, ...more];
const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' });
process.exit(status ?? 1);
