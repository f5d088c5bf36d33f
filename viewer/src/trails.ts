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
    const make = (linewidth: number, opacity: number) => {
      const geometry = new LineSegmentsGeometry().setPositions(places).setColors(colors);
      const material = new LineMaterial({
        vertexColors: true, linewidth, transparent: true, opacity, depthWrite: false,
      });
      const lines = new LineSegments2(geometry, material);
      lines.frustumCulled = false;
      this.materials.push(material);
      this.group.add(lines);
      return geometry;
    };
    make(1.6, 0.28);
    const past = make(2.6, 0.95);
    return (count) => { past.instanceCount = count; };
  }

  private thin(places: Float32Array, colors: Float32Array): (count: number) => void {
    const place = new THREE.BufferAttribute(places, 3), color = new THREE.BufferAttribute(colors, 3);
    const make = (opacity: number) => {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', place);
      geometry.setAttribute('color', color);
      const material = new THREE.LineBasicMaterial({
        vertexColors: true, transparent: true, opacity, depthWrite: false,
      });
      const lines = new THREE.LineSegments(geometry, material);
      lines.frustumCulled = false;
      this.materials.push(material);
      this.group.add(lines);
      return geometry;
    };
    make(0.05);
    const past = make(0.35);
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
