// A run beside its plans. Each time it planned, the plan is a ghost: its paths in a colour of its own,
// the bodies translucent where it has them now, and a line from each to where the body really is.

import * as THREE from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import { Bodies } from './bodies';
import { hue } from './colors';
import { planAt, poseAt, type Plan, type Playback, type World } from './playback';

export const GAP = 0xff9500; // from a body to where the plan has it
const SEEN = 2e-3; // m: what is less far off is there
const STRONG = 0.85; // of the plan's colour in a ghost

export function planColor(plan: Plan): THREE.Color {
  return new THREE.Color().setHSL(hue(plan.title) / 360, 0.75, 0.52);
}

// The paths of a plan's bodies, two points a segment; of what rests there is none.
function pathPlaces(playback: Playback, { frames, motion: [x, y, z] }: Plan): number[] {
  const places: number[] = [];
  for (let track = 0; track < playback.tracks; track++) {
    for (let f = 1; f < frames; f++) {
      const b = track * frames + f, a = b - 1;
      if (Math.abs(x[a] - x[b]) + Math.abs(y[a] - y[b]) + Math.abs(z[a] - z[b]) < 1e-5) continue;
      places.push(x[a], y[a], z[a], x[b], y[b], z[b]);
    }
  }
  return places;
}

export class Ghosts {
  readonly group = new THREE.Group();
  private bodies: Bodies;
  private paths: THREE.Group[];
  private gaps: LineSegments2;
  private places: Float32Array;
  private is = new Float64Array(7);
  private meant = new Float64Array(7);
  private last = -1; // the plan that is shown

  constructor(private playback: Playback) {
    this.bodies = new Bodies(playback, true);
    this.paths = playback.plans.map((plan) => this.makePath(plan));
    this.places = new Float32Array(6 * Math.max(playback.tracks, 1));
    const geometry = new LineSegmentsGeometry().setPositions(this.places);
    this.gaps = new LineSegments2(geometry, new LineMaterial({ color: GAP, linewidth: 3, toneMapped: false, depthTest: false }));
    this.gaps.frustumCulled = false;
    this.gaps.renderOrder = 5;
    this.group.add(this.bodies.group, this.gaps, ...this.paths);
  }

  // Two pictures of the same way: strong while the plan is followed, faint afterwards.
  private makePath(plan: Plan): THREE.Group {
    const path = new THREE.Group(), places = pathPlaces(this.playback, plan);
    path.visible = false;
    if (places.length === 0) return path;
    const color = planColor(plan);
    const strong = new LineSegments2(new LineSegmentsGeometry().setPositions(places),
      new LineMaterial({ color, linewidth: 2, toneMapped: false }));
    const faint = new THREE.LineSegments(new THREE.BufferGeometry().setAttribute('position', new THREE.Float32BufferAttribute(places, 3)),
      new THREE.LineBasicMaterial({ color, transparent: true, opacity: 0.4, depthWrite: false, toneMapped: false }));
    strong.frustumCulled = faint.frustumCulled = false;
    path.add(strong, faint);
    return path;
  }

  // frame: of the run.
  show(world: World, frame: number, shown: boolean): void {
    const now = planAt(this.playback, frame);
    this.group.visible = shown && now >= 0;
    if (!this.group.visible) return;
    const plan = this.playback.plans[now];
    if (now !== this.last) this.choose(now);
    this.bodies.show(plan, Math.min(frame - plan.from, plan.frames - 1));
    this.measure(world, plan, frame);
  }

  private choose(now: number): void {
    this.last = now;
    this.paths.forEach((path, i) => {
      path.visible = i <= now;
      path.children.forEach((lines, k) => { lines.visible = (k === 0) === (i === now); });
    });
    this.bodies.dye(planColor(this.playback.plans[now]), STRONG);
  }

  // Once a plan is at its end it says nothing more.
  private measure(world: World, plan: Plan, frame: number): void {
    let count = 0;
    const ended = frame - plan.from > plan.frames - 1;
    for (let track = 0; track < this.playback.tracks && !ended; track++) {
      poseAt(world, track, frame, this.is);
      poseAt(plan, track, frame - plan.from, this.meant);
      if (Math.hypot(this.is[0] - this.meant[0], this.is[1] - this.meant[1], this.is[2] - this.meant[2]) < SEEN) continue;
      this.places.set(this.is.subarray(0, 3), 6 * count);
      this.places.set(this.meant.subarray(0, 3), 6 * count + 3);
      count++;
    }
    const { geometry } = this.gaps;
    const { data } = geometry.attributes.instanceStart as THREE.InterleavedBufferAttribute;
    (data.array as Float32Array).set(this.places);
    data.needsUpdate = true;
    geometry.instanceCount = count;
    this.gaps.visible = count > 0;
  }

  // Read back for tests: where the ghost of a body is drawn.
  drawnAt(body: number): [number, number, number] | null {
    return this.group.visible ? this.bodies.drawnAt(body) : null;
  }
}
