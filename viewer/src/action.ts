// Where something happens, and what is worth following: read off the frames of a world.

import * as THREE from 'three';
import type { Followed } from './cameras';
import { poseAt, type Playback, type Shape, type World } from './playback';

function partReach({ kind, radius, half, points, pose }: Shape): number {
  const height = half[2] ?? 0;
  const own = kind === 'sphere' ? radius : kind === 'cylinder' ? Math.hypot(radius, height)
    : kind === 'prism' ? Math.max(...points.map(([x, y]) => Math.hypot(x, y))) : Math.hypot(half[0], half[1], height);
  return Math.hypot(pose[0], pose[1], pose[2]) + own;
}

// How far a body reaches from its own origin.
export function bodyReach(playback: Playback, body: number): number {
  const solid = playback.bodies[body].parts.filter(({ kind }) => kind !== 'plane');
  return Math.max(1e-3, ...solid.map(partReach));
}

function addTrack(box: THREE.Box3, playback: Playback, world: World, track: number): void {
  const [x, y, z] = world.motion;
  const own = new THREE.Box3(), point = new THREE.Vector3();
  for (let i = track * world.frames; i < (track + 1) * world.frames; i++) own.expandByPoint(point.set(x[i], y[i], z[i]));
  const reach = bodyReach(playback, playback.moving[track]);
  const size = own.getSize(new THREE.Vector3());
  // What falls over counts too, though its middle hardly moves.
  if (size.length() > 0.3 * reach) box.union(own.expandByScalar(reach * 1.5));
}

// The box around everything that moves and the goal, kept inside of the scene; null where that is
// most of the scene or nothing.
export function actionBox(playback: Playback, world: World): THREE.Box3 | null {
  const box = new THREE.Box3();
  for (let track = 0; track < playback.tracks; track++) addTrack(box, playback, world, track);
  if (box.isEmpty()) return null;
  const all = new THREE.Box3(new THREE.Vector3(...playback.low), new THREE.Vector3(...playback.high));
  const whole = all.getSize(new THREE.Vector3());
  for (const goal of playback.goals) {
    const { pose, half, radius, kind } = playback.regions[goal];
    const [x, y] = kind === 'box' ? half : [radius, radius];
    // A goal as large as the scene says nothing about where to look.
    if (x * y * 4 > 0.5 * whole.x * whole.y) continue;
    box.expandByPoint(new THREE.Vector3(pose[0] - x, pose[1] - y, pose[2]));
    box.expandByPoint(new THREE.Vector3(pose[0] + x, pose[1] + y, pose[2]));
  }
  const size = box.getSize(new THREE.Vector3());
  box.expandByVector(new THREE.Vector3(0.08 * size.x + 0.04 * size.y, 0.08 * size.y + 0.04 * size.x, 0));
  box.intersect(all);
  const part = box.getSize(size);
  return part.x * part.y < 0.7 * whole.x * whole.y ? box : null;
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
