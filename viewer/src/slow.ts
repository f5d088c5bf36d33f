// Slow motion: how fast the replay goes near a contact.

import type { Playback, World } from './playback';

const SLOWEST = 0.12;
const BEFORE = 0.22, AFTER = 0.3; // s
const QUIET = 0.04; // of the hardest hit: softer ones do not slow the replay

export class Slow {
  private times = new Map<World, Float64Array>();

  constructor(private playback: Playback) {}

  private of(world: World): Float64Array {
    let times = this.times.get(world);
    if (!times) {
      const hardest = world.meetings.reduce((most, { impulse }) => Math.max(most, impulse), 0);
      times = Float64Array.from(world.meetings.filter(({ impulse }) => impulse > QUIET * hardest)
        .map(({ from }) => from * this.playback.frameSeconds)).sort();
      this.times.set(world, times);
    }
    return times;
  }

  // 1 far from any contact, SLOWEST at one, smooth between.
  factor(world: World, seconds: number): number {
    let share = 1;
    for (const time of this.of(world)) {
      const away = seconds - time;
      if (away < -BEFORE || away > AFTER) continue;
      const near = Math.abs(away) / (away < 0 ? BEFORE : AFTER);
      share = Math.min(share, near * near * (3 - 2 * near));
    }
    return SLOWEST + (1 - SLOWEST) * share;
  }
}
