// Play, pause, scrub, speed, single frames.

import { byId, icon, iconButton, make, press, write } from './dom';
import type { Panel, Store } from './store';

export interface TransportActions {
  toggle(): void;
  step(frames: number): void;
  seek(seconds: number): void;
  faster(steps: number): void;
  panel(panel: Panel): void;
  panels: Panel[];
  duration(): number;
  frameSeconds: number;
}

export const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];

// Picture, name and key of each panel's button.
const PANELS: Record<Panel, [string, string, string]> = {
  timeline: ['time', 'Time line', 'i'], graphs: ['graph', 'Graphs', 'o'],
  tactics: ['tactic', 'Tactics', 'q'], tables: ['table', 'Tables', 'e'],
};

export class Transport {
  private play: HTMLButtonElement;
  private loop: HTMLButtonElement;
  private slider: HTMLInputElement;
  private clock = make('output', { id: 'clock', 'aria-label': 'Time' });
  private speed = make('button', { type: 'button', id: 'speed', title: 'Speed (, and .)' });
  private slow: HTMLButtonElement;
  private panels: [Panel, HTMLButtonElement][];
  private showsPause = false;
  private clockText = '';

  constructor(private store: Store, private actions: TransportActions) {
    this.play = iconButton('play', 'Play', 'Space', () => actions.toggle());
    this.play.id = 'play';
    this.loop = iconButton('loop', 'Repeat', 'l', () => store.set({ loop: !store.state.loop }));
    this.slider = make('input', {
      type: 'range', id: 'scrub', min: '0', 'aria-label': 'Frame', step: '1', max: '1',
      input: () => actions.seek(Number(this.slider.value) * actions.frameSeconds),
    });
    this.speed.addEventListener('click', () => actions.faster(1));
    this.slow = iconButton('slow', 'Slow motion at contacts', 'z', () => store.set({ slow: !store.state.slow }));
    this.panels = actions.panels.map((panel) => {
      const [picture, label, key] = PANELS[panel];
      const button = iconButton(picture, label, key, () => actions.panel(panel));
      button.classList.add('panel-button');
      return [panel, button];
    });
    byId('transport').append(
      iconButton('start', 'To the start', 'Home', () => actions.seek(0)),
      iconButton('back', 'One frame back', '←', () => actions.step(-1)), this.play,
      iconButton('next', 'One frame on', '→', () => actions.step(1)),
      iconButton('end', 'To the end', 'End', () => actions.seek(actions.duration())),
      this.slider, this.clock, this.speed, this.slow, this.loop, ...this.panels.map(([, button]) => button));
  }

  draw(): void {
    const { seconds, playing, speed, loop, panel, slow } = this.store.state;
    const { frameSeconds } = this.actions;
    const end = this.actions.duration(), last = Math.round(end / frameSeconds);
    const frame = Math.min(Math.round(seconds / frameSeconds), last);
    write(this.slider, 'max', String(last));
    this.slider.value = String(frame);
    this.drawClock(Math.min(seconds, end), `frame ${frame} of ${last}`);
    this.drawSpeed(speed);
    press(this.loop, loop);
    press(this.slow, slow);
    for (const [name, button] of this.panels) press(button, panel === name);
    if (playing !== this.showsPause) {
      this.showsPause = playing;
      this.play.replaceChildren(icon(playing ? 'pause' : 'play'));
      this.play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
    }
  }

  // Numbers that change with every frame are read aloud when it rests; nobody could follow them.
  private drawClock(seconds: number, place: string): void {
    const text = `${seconds.toFixed(2)} s`;
    if (text !== this.clockText) this.clock.textContent = this.clockText = text;
    if (this.store.state.playing) return;
    write(this.slider, 'aria-valuetext', `${seconds.toFixed(2)} seconds, ${place}`);
    write(this.clock, 'title', place);
  }

  private drawSpeed(speed: number): void {
    if (this.speed.getAttribute('aria-label') === `Speed ${speed}`) return;
    this.speed.textContent = `${speed}×`;
    this.speed.setAttribute('aria-label', `Speed ${speed}`);
  }
}
