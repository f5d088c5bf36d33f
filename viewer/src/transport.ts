// Play, pause, scrub, speed, single frames.

import { byId, icon, iconButton, make, press } from './dom';
import type { Store } from './store';

export interface TransportActions {
  toggle(): void;
  step(frames: number): void;
  seek(seconds: number): void;
  faster(steps: number): void;
  panel(panel: 'timeline' | 'graphs'): void;
  duration(): number;
  frameSeconds: number;
}

export const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];

export class Transport {
  private play: HTMLButtonElement;
  private loop: HTMLButtonElement;
  private slider: HTMLInputElement;
  private clock = make('output', { id: 'clock', 'aria-label': 'Time' });
  private speed = make('button', { type: 'button', id: 'speed', title: 'Speed (, and .)' });
  private panels: Record<'timeline' | 'graphs', HTMLButtonElement>;
  private showsPause = false;

  constructor(private store: Store, private actions: TransportActions) {
    this.play = iconButton('play', 'Play', 'Space', () => actions.toggle());
    this.play.id = 'play';
    this.loop = iconButton('loop', 'Repeat', 'l', () => store.set({ loop: !store.state.loop }));
    this.slider = make('input', {
      type: 'range', id: 'scrub', min: '0', 'aria-label': 'Frame', step: '1', max: '1',
      input: () => actions.seek(Number(this.slider.value) * actions.frameSeconds),
    });
    this.speed.addEventListener('click', () => actions.faster(1));
    this.panels = {
      timeline: iconButton('time', 'Time line', 'i', () => actions.panel('timeline')),
      graphs: iconButton('graph', 'Graphs', 'o', () => actions.panel('graphs')),
    };
    byId('transport').append(
      iconButton('start', 'To the start', 'Home', () => actions.seek(0)),
      iconButton('back', 'One frame back', '←', () => actions.step(-1)), this.play,
      iconButton('next', 'One frame on', '→', () => actions.step(1)),
      iconButton('end', 'To the end', 'End', () => actions.seek(actions.duration())),
      this.slider, this.clock, this.speed, this.loop, this.panels.timeline, this.panels.graphs);
  }

  draw(): void {
    const { seconds, playing, speed, loop, panel } = this.store.state;
    const { frameSeconds } = this.actions;
    const last = Math.round(this.actions.duration() / frameSeconds);
    this.slider.max = String(last);
    const frame = Math.min(Math.round(seconds / frameSeconds), last);
    this.slider.value = String(frame);
    this.slider.setAttribute('aria-valuetext', `${seconds.toFixed(2)} seconds, frame ${frame} of ${last}`);
    this.clock.textContent = `${Math.min(seconds, this.actions.duration()).toFixed(2)} s`;
    this.clock.title = `frame ${frame} of ${last}`;
    this.speed.textContent = `${speed}×`;
    this.speed.setAttribute('aria-label', `Speed ${speed}`);
    press(this.loop, loop);
    press(this.panels.timeline, panel === 'timeline');
    press(this.panels.graphs, panel === 'graphs');
    if (playing !== this.showsPause) {
      this.showsPause = playing;
      this.play.replaceChildren(icon(playing ? 'pause' : 'play'));
      this.play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
    }
  }
}
