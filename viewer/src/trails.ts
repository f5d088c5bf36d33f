// The paths of moving bodies: pale as a whole, strong up to now. Segments lie in the order of time,
// so "up to now" is a number of segments. Their colour is the body's, or says how fast, how much
// aslip or with which Skill it went.

import * as THREE from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import { hue, ramp } from './colors';
import { maxSpeed, type Playback, type World } from './playback';

export type Tint = 'body' | 'speed' | 'slip' | 'skill';

// Wide lines cost a few triangles a segment; beyond this many they are one pixel wide.
const WIDE_LIMIT = 30000;
export const SLIP_FULL = 40; // degrees: the end of the ramp

interface Segments {
  places: Float32Array; // two points a segment
  colors: Float32Array;
  upTo: Uint32Array; // segments before each frame
}

// Which tints say anything in this world.
export function tintsOf(playback: Playback, world: World): Tint[] {
  const tints: Tint[] = ['body'];
  if (world.velocity) tints.push('speed');
  if (world.channels.some(({ name }) => name === 'slip angle')) tints.push('slip');
  if (playback.tactics.length > 0 || world.spans.length > 0) tints.push('skill');
  return tints;
}

// The colour of a track in a frame.
function tinter(playback: Playback, world: World, track: number, tint: Tint): (frame: number, out: THREE.Color) => void {
  const body = playback.moving[track];
  const own = new THREE.Color(playback.bodies[body].color);
  if (tint === 'speed' && world.velocity) {
    const [x, y, z] = world.velocity, most = maxSpeed(playback, world), start = track * world.frames;
    return (f, out) => { ramp(Math.hypot(x[start + f], y[start + f], z[start + f]) / most, out); };
  }
  const slip = world.channels.find(({ name }) => name === 'slip angle');
  if (tint === 'slip' && slip && track === 0) {
    return (f, out) => { ramp(Math.abs(slip.values[f]) / SLIP_FULL, out); };
  }
  if (tint === 'skill') {
    const row = playback.tactics.find((tactic) => tactic.body === body)?.name ?? (track === 0 ? 'move' : '');
    const spans = world.spans.filter((span) => span.row === row);
    let at = 0;
    return (f, out) => {
      while (at + 1 < spans.length && spans[at + 1].from <= f) at++;
      if (spans.length > 0) out.setHSL(hue(spans[at].label) / 360, 0.7, 0.5);
      else out.copy(own);
    };
  }
  return (_, out) => { out.copy(own); };
}

// A car's path lies on the road, not at half its height.
function lowering(playback: Playback, track: number): number {
  const body = playback.moving[track];
  const car = playback.dresses.some((dress) => dress.body === body && dress.finish === 'car');
  return car ? (playback.bodies[body].parts[0]?.half[2] ?? 0) - 0.06 : 0;
}

// Segments of no length, of bodies that rest, are left out.
function makeSegments(playback: Playback, world: World, tracks: number[], tint: Tint): Segments {
  const [x, y, z] = world.motion;
  const places: number[] = [], colors: number[] = [];
  const upTo = new Uint32Array(world.frames);
  const tints = tracks.map((track) => tinter(playback, world, track, tint));
  const low = tracks.map((track) => lowering(playback, track));
  const color = new THREE.Color();
  for (let f = 1; f < world.frames; f++) {
    for (let i = 0; i < tracks.length; i++) {
      const b = tracks[i] * world.frames + f, a = b - 1;
      if (Math.abs(x[a] - x[b]) + Math.abs(y[a] - y[b]) + Math.abs(z[a] - z[b]) < 1e-5) continue;
      places.push(x[a], y[a], z[a] - low[i], x[b], y[b], z[b] - low[i]);
      tints[i](f - 1, color);
      colors.push(color.r, color.g, color.b);
      if (tint === 'speed' || tint === 'slip') tints[i](f, color);
      colors.push(color.r, color.g, color.b);
    }
    upTo[f] = places.length / 6;
  }
  return { places: new Float32Array(places), colors: new Float32Array(colors), upTo };
}

export class Trail {
  readonly group = new THREE.Group();
  private setCount: (count: number) => void;
  private upTo: Uint32Array;
  private materials: THREE.Material[] = [];

  constructor(playback: Playback, world: World, tracks: number[], tint: Tint) {
    const { places, colors, upTo } = makeSegments(playback, world, tracks, tint);
    this.upTo = upTo;
    const count = places.length / 6;
    this.setCount = count === 0 ? () => {}
      : count <= WIDE_LIMIT ? this.wide(places, colors) : this.thin(places, colors);
  }

  private wide(places: Float32Array, colors: Float32Array): (count: number) => void {
    // The ends of wide segments overlap, which shows as beads unless they are opaque.
    const geometry = new LineSegmentsGeometry().setPositions(places).setColors(colors);
    const material = new LineMaterial({ vertexColors: true, linewidth: 3, toneMapped: false });
    this.add(new LineSegments2(geometry, material), material);
    this.addThin(places, colors, 0.6);
    return (count) => { geometry.instanceCount = count; };
  }

  private add(lines: THREE.Mesh | THREE.LineSegments, material: THREE.Material): void {
    lines.frustumCulled = false;
    this.materials.push(material);
    this.group.add(lines);
  }

  private addThin(places: Float32Array, colors: Float32Array, opacity: number): THREE.BufferGeometry {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(places, 3));
    geometry.setAttribute('color', new THREE.BufferAttribute(colors, 3));
    const material = new THREE.LineBasicMaterial({
      vertexColors: true, transparent: true, opacity, depthWrite: false, toneMapped: false,
    });
    this.add(new THREE.LineSegments(geometry, material), material);
    return geometry;
  }

  private thin(places: Float32Array, colors: Float32Array): (count: number) => void {
    this.addThin(places, colors, 0.05);
    const past = this.addThin(places, colors, 0.35);
    return (count) => past.setDrawRange(0, 2 * count);
  }

  show(frame: number): void {
    this.setCount(this.upTo[Math.min(Math.round(frame), this.upTo.length - 1)] ?? 0);
  }

  dispose(): void {
    this.group.traverse((object) => (object as THREE.Mesh).geometry?.dispose());
    this.materials.forEach((material) => material.dispose());
  }
}
