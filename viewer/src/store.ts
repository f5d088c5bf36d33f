// What the page shows now, in one place; parts of the page listen and redraw.

import type { CameraMode } from './cameras';
import type { Rule, Sort } from './filters';
import type { Tint } from './trails';

export type Panel = 'timeline' | 'graphs' | 'tactics' | 'tables';

export interface State {
  world: number;
  other: number | null; // the world beside it
  seconds: number;
  playing: boolean;
  speed: number;
  loop: boolean;
  mode: 'stage' | 'gallery' | 'draw';
  top: boolean;
  camera: CameraMode;
  slow: boolean; // round contacts
  tint: Tint; // of the paths
  places: boolean; // regions that only the search knows
  axis: 'time' | 'distance'; // of the graphs
  paths: boolean;
  ghosts: boolean; // plans of a run
  tree: boolean;
  growth: number; // share of the tree that is shown
  growing: boolean;
  muted: ReadonlySet<number>; // reasons of ends that are left out
  end: number | null; // of a branch, selected
  panel: Panel | 'none';
  theme: 'light' | 'dark';
  body: number | null; // selected
  kept: ReadonlySet<number>;
  rules: readonly Rule[];
  sort: Sort;
}

export type Change = Partial<State>;
type Listener = (state: Readonly<State>, change: Change) => void;

export class Store {
  private listeners: Listener[] = [];
  constructor(public state: Readonly<State>) {}

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  set(change: Change): void {
    const before = this.state;
    const real = Object.fromEntries(Object.entries(change)
      .filter(([key, value]) => before[key as keyof State] !== value)) as Change;
    if (Object.keys(real).length === 0) return;
    this.state = { ...before, ...real };
    for (const listener of this.listeners) listener(this.state, real);
  }
}
