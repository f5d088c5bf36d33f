// The paths of moving bodies: pale as a whole, strong up to now. Segments lie in the order of time,
// so "up to now" is a number of segments.

import * as THREE from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import type { Playback, World } from './playback';

// Wide lines cost a few triangles a segment; beyond this many they are one pixel wide.
const WIDE_LIMIT = 30000;

interface Segments {
  places: Float32Array; // two points a segment
  colors: Float32Array;
  upTo: Uint32Array; // segments before each frame
}

// Segments of no length, of bodies that rest, are left out.
function makeSegments(playback: Playback, world: World, tracks: number[]): Segments {
  const [x, y, z] = world.motion;
  const places: number[] = [], colors: number[] = [];
  const upTo = new Uint32Array(world.frames);
  const tints = tracks.map((track) => new THREE.Color(playback.bodies[playback.moving[track]].color));
  for (let f = 1; f < world.frames; f++) {
    tracks.forEach((track, i) => {
      const b = track * world.frames + f, a = b - 1;
      if (Math.abs(x[a] - x[b]) + Math.abs(y[a] - y[b]) + Math.abs(z[a] - z[b]) < 1e-5) return;
      places.push(x[a], y[a], z[a], x[b], y[b], z[b]);
      const { r, g, b: blue } = tints[i];
      colors.push(r, g, blue, r, g, blue);
    });
    upTo[f] = places.length / 6;
  }
  return { places: new Float32Array(places), colors: new Float32Array(colors), upTo };
}

export class Trail {
  readonly group = new THREE.Group();
  private setCount: (count: number) => void;
  private upTo: Uint32Array;
  private materials: THREE.Material[] = [];

  constructor(playback: Playback, world: World, tracks: number[]) {
    const { places, colors, upTo } = makeSegments(playback, world, tracks);
    this.upTo = upTo;
    const count = places.length / 6;
    this.setCount = count === 0 ? () => {}
      : count <= WIDE_LIMIT ? this.wide(places, colors) : this.thin(places, colors);
  }

  private wide(places: Float32Array, colors: Float32Array): (count: number) => void {
    // The ends of wide segments overlap, which shows as beads unless they are opaque.
    const geometry = new LineSegmentsGeometry().setPositions(places).setColors(colors);
    const material = new LineMaterial({ vertexColors: true, linewidth: 2.6 });
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
      vertexColors: true, transparent: true, opacity, depthWrite: false,
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
