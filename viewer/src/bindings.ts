// Which key does what.

import type { App } from './app';
import type { Key, KeyGroup } from './keys';

const ORBIT = 0.12, TILT = 0.08; // radians a press
const SHIFT = 0.08; // of the scene's radius a press
const NEARER = 1.12;

const DIRECTIONS: Record<string, [number, number]> = { a: [-1, 0], d: [1, 0], w: [0, 1], s: [0, -1] };

// While a box is drawn, the arrows are the box's.
function arrow(app: App, x: number, y: number, large: boolean): void {
  const second = Math.max(1, Math.round(1 / app.playback.frameSeconds));
  if (app.store.state.mode === 'draw') app.draw.key(x, y, large);
  else if (x !== 0) app.step(x * (large ? second : 1));
  else app.stage.cameras.zoom(y > 0 ? NEARER : 1 / NEARER);
  app.invalidate();
}

function look(app: App, key: string): void {
  const [x, y] = DIRECTIONS[key.toLowerCase()];
  if (key === key.toLowerCase()) app.stage.cameras.turn(x * ORBIT, y * TILT);
  else app.stage.cameras.shift(x * SHIFT, y * SHIFT);
  app.invalidate();
}

function replay(app: App): Key[] {
  const sign = (key: string) => (key.endsWith('Left') ? -1 : 1);
  return [
    { keys: [' '], text: 'play or pause', run: () => app.toggle() },
    { keys: ['ArrowLeft', 'ArrowRight'], text: 'one frame', run: (k) => arrow(app, sign(k), 0, false) },
    { keys: ['Shift+ArrowLeft', 'Shift+ArrowRight'], text: 'one second', run: (k) => arrow(app, sign(k), 0, true) },
    { keys: ['Home', 'End'], text: 'to the start, to the end', run: (k) => app.seek(k === 'Home' ? 0 : Infinity) },
    { keys: ['[', ']'], text: 'last or next contact or Skill', run: (k) => app.jump(k === '[' ? -1 : 1) },
    { keys: [',', '.'], text: 'slower, faster', run: (k) => app.faster(k === ',' ? -1 : 1) },
    { keys: ['z'], text: 'slow motion at contacts', run: () => app.store.set({ slow: !app.store.state.slow }) },
    { keys: ['l'], text: 'repeat or stop at the end', run: () => app.store.set({ loop: !app.store.state.loop }) },
  ];
}

function view(app: App): Key[] {
  const { store } = app;
  const sign = (key: string) => (key.endsWith('Up') ? 1 : -1);
  return [
    { keys: ['a', 'd', 'w', 's'], text: 'orbit', run: (k) => look(app, k) },
    { keys: ['A', 'D', 'W', 'S'], text: 'move', run: (k) => look(app, k) },
    { keys: ['ArrowUp', 'ArrowDown'], text: 'nearer, farther', run: (k) => arrow(app, 0, sign(k), false) },
    { keys: ['r'], text: 'see everything', run: () => app.seeAll() },
    { keys: ['v', 'V'], text: 'next or last camera: free, follow, ride along, from the robot, around', run: (k) => app.nextCamera(k === 'v' ? 1 : -1) },
    { keys: ['h'], text: 'colour of the paths: body, speed, slip, Skill', run: () => app.nextTint() },
    { keys: ['R'], text: 'regions of the search', run: () => store.set({ places: !store.state.places }) },
    { keys: ['t'], text: 'top view', run: () => store.set({ top: !store.state.top }) },
    { keys: ['p'], text: 'all paths', run: () => store.set({ paths: !store.state.paths }) },
    ...(app.playback.plans.length > 0 ? [{ keys: ['P'], text: 'plans of the run', run: () => store.set({ ghosts: !store.state.ghosts }) }] : []),
    { keys: ['n'], text: 'search tree', run: () => app.toggleTree() },
    { keys: ['u'], text: 'grow the tree', run: () => app.grow() },
    { keys: ['E'], text: 'why the next branch ended', run: () => app.nextEnd() },
    { keys: ['b', 'B'], text: 'select the next or last body', run: (k) => app.selectBody(k === 'b' ? 1 : -1) },
  ];
}

function worlds(app: App): Key[] {
  const sign = (key: string) => (key.endsWith('Up') ? 1 : -1);
  return [
    { keys: ['g'], text: 'gallery', run: () => app.toggleGallery() },
    { keys: ['j', 'k'], text: 'next, previous', run: (k) => app.otherWorld(k === 'j' ? 1 : -1) },
    { keys: ['c'], text: 'side by side', run: () => app.toggleBeside() },
    { keys: ['m'], text: 'keep this one', run: () => app.keep(app.store.state.world) },
    { keys: ['x'], text: 'save what is kept as a page', run: () => void app.save() },
    { keys: ['f'], text: 'filter', run: () => app.filter() },
    { keys: ['Shift+ArrowUp', 'Shift+ArrowDown'], text: 'higher or lower box', run: (k) => arrow(app, 0, sign(k), true) },
    { keys: ['Enter'], text: 'use the box that is drawn', run: () => app.draw.accept() },
  ];
}

function page(app: App): Key[] {
  return [
    { keys: ['i', 'o'], text: 'time line, graphs', run: (k) => app.panel(k === 'i' ? 'timeline' : 'graphs') },
    { keys: ['q', 'e'], text: 'Tactics, tables', run: (k) => app.panel(k === 'q' ? 'tactics' : 'tables') },
    { keys: ['='], text: 'graphs over time or way', run: () => app.store.set({ axis: app.store.state.axis === 'time' ? 'distance' : 'time' }) },
    { keys: ['y'], text: 'dark or light', run: () => app.toggleTheme() },
    { keys: ['?'], text: 'these keys', run: () => app.help() },
    { keys: ['Escape'], text: 'back', run: () => app.escape() },
  ];
}

export function bindings(app: App): KeyGroup[] {
  return [
    { title: 'Replay', keys: replay(app) },
    { title: 'View', keys: view(app) },
    ...(app.playback.worlds.length > 1 ? [{ title: 'Worlds', keys: worlds(app) }] : []),
    { title: 'Page', keys: page(app) },
  ];
}
