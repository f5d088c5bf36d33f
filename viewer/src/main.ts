// The page: reads the playback, wires store, scene, time line and keyboard, and runs the clock.

import { byId, make } from './dom';
import { App } from './app';
import { readPlayback } from './playback';
import { pageSource } from './save';

const source = pageSource();

function fail(error: unknown): void {
  console.error(error);
  byId('stage').append(make('p', { class: 'card', id: 'failure' },
    error instanceof Error ? error.message : String(error)));
}

try {
  const data = byId('playback');
  const playback = await readPlayback(data.textContent!.trim());
  data.remove();
  new App(playback, source);
} catch (error) {
  fail(error);
}
