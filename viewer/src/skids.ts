// The rubber that a car leaves on the road where it slips: a strip behind each wheel, as dark as the
// slip angle is large. Strips lie in the order of time, so "up to now" is a number of corners.

import * as THREE from 'three';
import { poseAt, type Playback, type World } from './playback';

const BEGINS = 7, FULL = 26; // degrees of slip
const DARKEST = 0.62;
const SLOW = 2; // m/s, below which nothing rubs
const HALF_WIDTH = 0.11; // m, of a strip
const WHEELS = [[0.6, 0.8], [0.6, -0.8], [-0.62, 0.8], [-0.62, -0.8]]; // shares of the half size

// How dark the strips are in each frame; null for what is no car, or does not slip.
function darkness(world: World, track: number): Float32Array | null {
  const slip = world.channels.find(({ name }) => name === 'slip angle')?.values;
  if (!slip || !world.velocity) return null;
  const [x, y] = world.velocity, start = track * world.frames;
  return slip.map((angle, f) => (Math.hypot(x[start + f], y[start + f]) < SLOW ? 0
    : DARKEST * THREE.MathUtils.smoothstep(Math.abs(angle) || 0, BEGINS, FULL)));
}

// Two corners a wheel and frame, left and right of where it rolls.
function wheelCorners(playback: Playback, world: World, track: number): Float32Array {
  const [length, width, height] = playback.bodies[playback.moving[track]].parts[0].half;
  const places = new Float32Array(24 * world.frames), pose = new Float64Array(7);
  const matrix = new THREE.Matrix4(), point = new THREE.Vector3(), turn = new THREE.Quaternion();
  for (let f = 0, k = 0; f < world.frames; f++) {
    poseAt(world, track, f, pose);
    matrix.makeRotationFromQuaternion(turn.set(pose[3], pose[4], pose[5], pose[6])).setPosition(pose[0], pose[1], pose[2]);
    for (const [x, y] of WHEELS) {
      for (const side of [HALF_WIDTH, -HALF_WIDTH]) {
        point.set(x * length, y * width + side, -(height ?? 0)).applyMatrix4(matrix).toArray(places, k);
        k += 3;
      }
    }
  }
  return places;
}

export class Skids {
  readonly group = new THREE.Group();
  private upTo = new Uint32Array(0); // indices before each frame
  private geometry: THREE.BufferGeometry | null = null;

  constructor(playback: Playback, world: World) {
    const car = playback.dresses.find(({ finish }) => finish === 'car');
    const track = car ? playback.bodies[car.body].track : -1;
    const dark = track >= 0 ? darkness(world, track) : null;
    if (dark) this.build(wheelCorners(playback, world, track), dark);
  }

  private build(places: Float32Array, dark: Float32Array): void {
    const colors = new Float32Array((places.length / 3) * 4), indices: number[] = [];
    this.upTo = new Uint32Array(dark.length);
    for (let f = 0; f < dark.length; f++) {
      for (let corner = 8 * f; corner < 8 * f + 8; corner++) colors.set([0.01, 0.01, 0.012, dark[f]], 4 * corner);
      if (f > 0 && dark[f] + dark[f - 1] > 0) {
        for (let left = 8 * f; left < 8 * f + 8; left += 2) {
          indices.push(left - 8, left - 7, left + 1, left - 8, left + 1, left);
        }
      }
      this.upTo[f] = indices.length;
    }
    if (indices.length === 0) return;
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(places, 3));
    geometry.setAttribute('color', new THREE.BufferAttribute(colors, 4));
    geometry.setIndex(indices);
    const mesh = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({
      vertexColors: true, transparent: true, depthWrite: false, side: THREE.DoubleSide, forceSinglePass: true,
      polygonOffset: true, polygonOffsetFactor: -3, polygonOffsetUnits: -12,
    }));
    mesh.renderOrder = -1.5; // on the road, below everything else
    mesh.frustumCulled = false;
    this.geometry = geometry;
    this.group.add(mesh);
  }

  show(frame: number): void {
    this.geometry?.setDrawRange(0, this.upTo[Math.min(Math.round(frame), this.upTo.length - 1)]);
  }
}
