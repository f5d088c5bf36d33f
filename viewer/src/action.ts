// Where something happens, and what is worth following: read off the frames of a world.

import * as THREE from 'three';
import type { Followed } from './cameras';
import { poseAt, type Playback, type Shape, type World } from './playback';

function partReach({ kind, radius, half, points, pose }: Shape): number {
  const height = half[2] ?? 0;
  const own = kind === 'sphere' ? radius : kind === 'cylinder' ? Math.hypot(radius, height)
    : kind === 'capsule' ? radius + height : kind === 'hull' ? Math.max(...points.map((p) => Math.hypot(...p)))
    : kind === 'prism' ? Math.max(...points.map(([x, y]) => Math.hypot(x, y))) : Math.hypot(half[0], half[1], height);
  return Math.hypot(pose[0], pose[1], pose[2]) + own;
}

// How far a body reaches from its own origin.
export function bodyReach(playback: Playback, body: number): number {
  const solid = playback.bodies[body].parts.filter(({ kind }) => kind !== 'plane');
  return Math.max(1e-3, ...solid.map(partReach));
}

// What a picture is to show: a box for the view from above, and the points that it has to hold.
export interface View {
  box: THREE.Box3;
  points: THREE.Vector3[];
  start?: THREE.Vector3; // of the body that it is about: better near than far
}

const SAMPLES = 40; // of a track

// Six points around each: the body wherever it goes.
function addTrack(view: View, playback: Playback, world: World, track: number): void {
  const [x, y, z] = world.motion, start = track * world.frames;
  const reach = bodyReach(playback, playback.moving[track]);
  const every = Math.max(1, Math.floor(world.frames / SAMPLES));
  const own = new THREE.Box3(), places: THREE.Vector3[] = [];
  for (let f = 0; f < world.frames; f++) {
    const at = new THREE.Vector3(x[start + f], y[start + f], z[start + f]);
    own.expandByPoint(at);
    if (f % every === 0 || f === world.frames - 1) places.push(at);
  }
  // What falls over counts too, though its middle hardly moves.
  if (own.getSize(new THREE.Vector3()).length() <= 0.3 * reach) return;
  view.box.union(own.expandByScalar(reach * 1.5));
  view.points.push(...places.flatMap((at) => around(at, reach)));
}

function around(at: THREE.Vector3, reach: number): THREE.Vector3[] {
  return [0, 1, 2].flatMap((axis) => [-1.3 * reach, 1.3 * reach]
    .map((by) => at.clone().setComponent(axis, at.getComponent(axis) + by)));
}

// What stands where something happens, such as the rest of a tower.
function addStanding(view: View, playback: Playback, world: World): void {
  const [x, y, z] = world.motion, { min, max } = view.box;
  const room = new THREE.Box3(min.clone().setZ(-Infinity), max.clone().setZ(Infinity));
  for (let track = 0; track < playback.tracks; track++) {
    const i = track * world.frames, at = new THREE.Vector3(x[i], y[i], z[i]);
    if (room.containsPoint(at)) view.points.push(...around(at, bodyReach(playback, playback.moving[track])));
  }
}

// Goals, and the flags behind them; a goal as large as the scene says nothing about where to look.
function addGoals(view: View, playback: Playback, whole: THREE.Vector3): void {
  const add = (x: number, y: number, z: number) => {
    view.points.push(new THREE.Vector3(x, y, z));
    view.box.expandByPoint(new THREE.Vector3(x, y, z));
  };
  for (const goal of playback.goals) {
    const { pose, half, radius, kind } = playback.regions[goal];
    const [x, y] = kind === 'box' ? half : [radius, radius];
    if (x * y * 4 > 0.5 * whole.x * whole.y) continue;
    for (const i of [-1, 1]) for (const j of [-1, 1]) add(pose[0] + i * x, pose[1] + j * y, pose[2]);
    for (const mark of playback.marks) {
      const near = Math.hypot(mark.at[0] - pose[0], mark.at[1] - pose[1]) < 2.5 * Math.max(x, y);
      if (!near || (mark.kind !== 'post' && mark.kind !== 'block')) continue;
      const wide = mark.kind === 'post' ? 0 : mark.size[0] / 2, high = mark.kind === 'post' ? mark.size[1] : mark.size[2];
      for (const i of [-wide, wide]) add(mark.at[0] + i, mark.at[1], mark.at[2] + high);
    }
  }
}

function corners({ min, max }: THREE.Box3): THREE.Vector3[] {
  return Array.from({ length: 8 }, (_, i) => new THREE.Vector3(
    i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z));
}

export function wholeView(playback: Playback): View {
  const box = new THREE.Box3(new THREE.Vector3(...playback.low), new THREE.Vector3(...playback.high));
  return { box, points: corners(box) };
}

// Everything that moves and the goal; where that is most of the scene or nothing, the scene.
export function actionView(playback: Playback, world: World): View {
  const view: View = { box: new THREE.Box3(), points: [] }, all = wholeView(playback);
  for (let track = 0; track < playback.tracks; track++) addTrack(view, playback, world, track);
  if (view.box.isEmpty()) return all;
  const whole = all.box.getSize(new THREE.Vector3());
  addGoals(view, playback, whole);
  addStanding(view, playback, world);
  const lead = leadBody(playback, null);
  if (lead !== null) {
    const i = playback.bodies[lead].track * world.frames;
    view.start = new THREE.Vector3(world.motion[0][i], world.motion[1][i], world.motion[2][i]);
  }
  const size = view.box.getSize(new THREE.Vector3());
  const { box } = view;
  box.expandByVector(new THREE.Vector3(0.08 * size.x + 0.04 * size.y, 0.08 * size.y + 0.04 * size.x, 0));
  box.intersect(new THREE.Box3(all.box.min, all.box.max.clone().setZ(Infinity)));
  box.getSize(size);
  if (size.x * size.y >= 0.7 * whole.x * whole.y) return { ...all, points: sceneryPoints(playback, view.points), start: view.start };
  return view;
}

// What stands still, and what moves.
function sceneryPoints(playback: Playback, moving: THREE.Vector3[]): THREE.Vector3[] {
  const points = [...moving];
  for (const { track, pose, parts } of playback.bodies) {
    if (track >= 0) continue;
    const place = matrix(pose);
    for (const part of parts) {
      if (part.kind === 'plane') continue;
      const [x, y, z] = part.kind === 'box' || part.kind === 'hull' ? part.half : [part.radius, part.radius, part.kind === 'sphere' ? part.radius
        : part.kind === 'capsule' ? part.radius + (part.half[2] ?? 0) : part.half[2]];
      const reach = part.kind === 'prism' ? Math.max(...part.points.map(([a, b]) => Math.hypot(a, b))) : 0;
      const half = new THREE.Vector3(reach || x, reach || y, z ?? 0);
      const own = new THREE.Box3(half.clone().negate(), half), at = place.clone().multiply(matrix(part.pose));
      points.push(...corners(own).map((corner) => corner.applyMatrix4(at)));
    }
  }
  return points;
}

function matrix(pose: ArrayLike<number>): THREE.Matrix4 {
  return new THREE.Matrix4().compose(new THREE.Vector3(pose[0], pose[1], pose[2]),
    new THREE.Quaternion(pose[3], pose[4], pose[5], pose[6]), new THREE.Vector3(1, 1, 1));
}

// The body that the picture is about: the selected one, else the one with the richest Tactic, else
// the first that moves.
export function leadBody(playback: Playback, selected: number | null): number | null {
  if (selected !== null && playback.bodies[selected].track >= 0) return selected;
  const [rich] = [...playback.tactics].sort((a, b) => b.skills.length - a.skills.length);
  if (rich && playback.bodies[rich.body].track >= 0) return rich.body;
  return playback.moving[0] ?? null;
}

const WINDOW = 0.5; // s before and after, over which a heading is smoothed

// The body at a time, as a camera follows it. The heading is a mean over a second around now, so a
// riding camera swings softly, and at the same moment is always at the same place.
export function followed(playback: Playback, world: World, body: number, frame: number): Followed {
  const { track } = playback.bodies[body];
  const pose = poseAt(world, track, frame, new Float64Array(7));
  const at = new THREE.Vector3(pose[0], pose[1], pose[2]);
  const heading = new THREE.Vector3(), ahead = new THREE.Vector3(), turn = new THREE.Quaternion();
  const reach = Math.round(WINDOW / playback.frameSeconds);
  for (let k = -reach; k <= reach; k += Math.max(1, reach >> 3)) {
    const other = Math.min(Math.max(frame + k, 0), world.frames - 1);
    poseAt(world, track, other, pose);
    ahead.set(1, 0, 0).applyQuaternion(turn.set(pose[3], pose[4], pose[5], pose[6]));
    heading.add(ahead);
  }
  heading.z = 0;
  if (heading.length() < 1e-3) heading.set(1, 0, 0);
  return { at, heading: heading.normalize(), size: bodyReach(playback, body) };
}
