// Many-worlds browsing: which worlds pass all rules, and in which order.

import { duration, type Playback, type World } from './playback';

export interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

// who: a body, or null for any that moves.
export type Rule =
  | { kind: 'touches' | 'avoids'; who: number | null; what: number }
  | { kind: 'passes' | 'misses'; who: number | null; box: Box };

export type Sort = 'score' | 'time' | 'contacts' | 'length';

// Does the segment from (ax, ay) to (bx, by) meet the box? Liang and Barsky's clipping.
export function segmentMeets(box: Box, ax: number, ay: number, bx: number, by: number): boolean {
  let enter = 0, leave = 1;
  const sides = [[ax - bx, ax - box.x0], [bx - ax, box.x1 - ax], [ay - by, ay - box.y0],
    [by - ay, box.y1 - ay]];
  for (const [p, q] of sides) {
    if (p === 0 && q < 0) return false;
    if (p < 0) enter = Math.max(enter, q / p);
    if (p > 0) leave = Math.min(leave, q / p);
  }
  return enter <= leave;
}

function trackPasses(world: World, track: number, box: Box): boolean {
  const [x, y] = world.motion;
  const start = track * world.frames, end = start + world.frames;
  for (let i = start; i < end; i++) {
    const j = i + 1 < end ? i + 1 : i;
    if (segmentMeets(box, x[i], y[i], x[j], y[j])) return true;
  }
  return false;
}

function passes(playback: Playback, world: World, who: number | null, box: Box): boolean {
  const bodies = who === null ? playback.moving : [who];
  return bodies.some((body) => {
    const { track, pose } = playback.bodies[body];
    return track >= 0 ? trackPasses(world, track, box)
      : segmentMeets(box, pose[0], pose[1], pose[0], pose[1]);
  });
}

function touches(world: World, who: number | null, what: number): boolean {
  return who === null ? world.touched[what].size > 0 : world.touched[what].has(who);
}

export function keeps(playback: Playback, world: World, rule: Rule): boolean {
  switch (rule.kind) {
    case 'touches': return touches(world, rule.who, rule.what);
    case 'avoids': return !touches(world, rule.who, rule.what);
    case 'passes': return passes(playback, world, rule.who, rule.box);
    case 'misses': return !passes(playback, world, rule.who, rule.box);
  }
}

function pathLength(world: World, tracks: number): number {
  const [x, y, z] = world.motion;
  let sum = 0;
  for (let t = 0; t < tracks; t++) {
    for (let i = t * world.frames + 1; i < (t + 1) * world.frames; i++) {
      sum += Math.hypot(x[i] - x[i - 1], y[i] - y[i - 1], z[i] - z[i - 1]);
    }
  }
  return sum;
}

// Larger scores first; of everything else, less is better.
function rank(playback: Playback, world: World, sort: Sort): number {
  switch (sort) {
    case 'score': return -world.score;
    case 'time': return duration(playback, world);
    case 'contacts': return world.meetings.length;
    case 'length': return pathLength(world, playback.tracks);
  }
}

// The worlds that pass, best first; ties stay in the order of the file.
export function choose(playback: Playback, rules: readonly Rule[], sort: Sort): number[] {
  const ranks = new Map(playback.worlds.map((world) => [world.index, rank(playback, world, sort)]));
  return playback.worlds
    .filter((world) => rules.every((rule) => keeps(playback, world, rule)))
    .map((world) => world.index)
    .sort((a, b) => ranks.get(a)! - ranks.get(b)! || a - b);
}

export function ruleText(playback: Playback, rule: Rule): string {
  const name = (body: number) => playback.bodies[body].name || `body ${body}`;
  const who = rule.who === null ? 'something' : name(rule.who);
  switch (rule.kind) {
    case 'touches': return `${who} touches ${name(rule.what)}`;
    case 'avoids': return rule.who === null ? `nothing touches ${name(rule.what)}`
      : `${who} never touches ${name(rule.what)}`;
    case 'passes':
    case 'misses': {
      const { x0, y0, x1, y1 } = rule.box;
      const place = `(${((x0 + x1) / 2).toFixed(2)}, ${((y0 + y1) / 2).toFixed(2)})`;
      const verb = rule.kind === 'passes' ? 'passes' : 'never passes';
      return `${rule.kind === 'misses' && rule.who === null ? 'nothing passes' : `${who} ${verb}`} `
        + `through ${place}`;
    }
  }
}
