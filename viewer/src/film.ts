// The page as a camera: frames for a film or a picture, asked for one by one by `carom export`.

import type { App } from './app';
import { byId } from './dom';
import type { Slow } from './slow';
import type { State } from './store';
import type { Tint } from './trails';

interface Wishes {
  fps: number;
  speed: number;
  at: number; // s, of a picture; < 0: none
  slow: boolean;
  dark: boolean;
  tree: boolean;
  camera: string; // '': the page's own; 'top' is one too
  tint: string;
}

const REST = 0.6; // s, at the end

export class Film {
  private times: number[] = [];

  constructor(private app: App, private slow: Slow) {}

  // Make ready; says how many frames there are.
  prepare({ fps, speed, at, slow, dark, tree, camera, tint }: Wishes): number {
    const { app } = this, { state } = app.store;
    app.beFilmed();
    document.body.toggleAttribute('data-bare', true);
    app.store.set({
      playing: false, mode: 'stage', panel: 'none', theme: dark ? 'dark' : 'light', tree, seconds: 0, top: camera === 'top',
      camera: (camera === '' || camera === 'top' ? state.camera : camera) as State['camera'],
      tint: (tint || state.tint) as Tint, growth: tree ? 0 : 1, growing: false,
    });
    app.stage.coarse(false); // it may have played meanwhile, and too slowly
    app.stage.resize();
    app.seeAll();
    this.times = at >= 0 ? [Math.min(at, app.duration())] : this.schedule(fps, speed, slow);
    return this.times.length;
  }

  private schedule(fps: number, speed: number, slow: boolean): number[] {
    const { app } = this, end = app.duration(), times: number[] = [];
    const world = app.playback.worlds[app.store.state.world];
    for (let t = 0; t < end; t += (speed / fps) * (slow ? this.slow.factor(world, t) : 1)) times.push(t);
    for (let k = 0; k <= REST * fps; k++) times.push(end);
    return times;
  }

  // A frame as a data URL. The tree grows over the first half.
  frame(index: number, type: string): string {
    const { app, times } = this;
    const growth = app.store.state.tree ? Math.min(1, (2 * index + 1) / times.length) : 1;
    app.store.set({ seconds: times[index], growth: times.length > 1 ? growth : 1 });
    app.render();
    return byId<HTMLCanvasElement>('view').toDataURL(type, 0.93);
  }
}
