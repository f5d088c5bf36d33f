// Geometries of half size one (capsules and hulls have their own): the shapes of the engine, and a car that fills such a box.

import * as THREE from 'three';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import type { Shape } from './playback';

const UNIT = new THREE.Vector3(1, 1, 1);

export function poseMatrix(pose: ArrayLike<number>, scale = UNIT): THREE.Matrix4 {
  return new THREE.Matrix4().compose(
    new THREE.Vector3(pose[0], pose[1], pose[2]),
    new THREE.Quaternion(pose[3], pose[4], pose[5], pose[6]), scale);
}

// Shapes with the same key share a mesh; the rest of their size is in the instance's scale.
export function shapeKey(shape: Shape): string {
  switch (shape.kind) {
    case 'prism':
    case 'hull': return `${shape.kind} ${JSON.stringify(shape.points)}`;
    case 'capsule': return `capsule ${shape.radius} ${shape.half[2]}`; // to scale it would bend its ends
    default: return shape.kind;
  }
}

export function shapeScale({ kind, radius, half: [x, y, z] }: Shape, endless: number): THREE.Vector3 {
  const height = z ?? endless;
  switch (kind) {
    case 'sphere': return new THREE.Vector3(radius, radius, radius);
    case 'box': return new THREE.Vector3(x, y, height);
    case 'cylinder': return new THREE.Vector3(radius, radius, height);
    case 'prism': return new THREE.Vector3(1, 1, height);
    case 'capsule':
    case 'hull':
    case 'plane': return new THREE.Vector3(1, 1, 1);
  }
}

// Triangles with sharp edges.
function hullGeometry(points: number[][]): THREE.BufferGeometry {
  const solid = new THREE.BufferGeometry();
  solid.setAttribute('position', new THREE.Float32BufferAttribute(points.flat(), 3));
  solid.setAttribute('uv', new THREE.Float32BufferAttribute(points.flatMap(([x, y, z]) => [x + z, y + z]), 2));
  solid.computeVertexNormals();
  return solid;
}

export function shapeGeometry({ kind, radius, half, points }: Shape): THREE.BufferGeometry {
  switch (kind) {
    case 'capsule': return new THREE.CapsuleGeometry(radius, 2 * (half[2] ?? 0), 12, 40).rotateX(Math.PI / 2);
    case 'hull': return hullGeometry(points);
    case 'sphere': return new THREE.SphereGeometry(1, 40, 24).rotateX(Math.PI / 2);
    case 'cylinder': return new THREE.CylinderGeometry(1, 1, 2, 48).rotateX(Math.PI / 2);
    case 'prism': {
      const outline = new THREE.Shape(points.map(([x, y]) => new THREE.Vector2(x, y)));
      const solid = new THREE.ExtrudeGeometry(outline, { depth: 2, bevelEnabled: false });
      return solid.translate(0, 0, -1);
    }
    case 'box':
    case 'plane': return new THREE.BoxGeometry(2, 2, 2);
  }
}

// A bowling pin within a cylinder: radius and height of its outline.
const PIN: [number, number][] = [[0, -1], [0.52, -1], [0.58, -0.97], [0.8, -0.72], [0.95, -0.5], [1, -0.34], [0.95, -0.16],
  [0.8, 0.04], [0.6, 0.22], [0.46, 0.36], [0.42, 0.48], [0.46, 0.6], [0.54, 0.72], [0.55, 0.82], [0.47, 0.92], [0.3, 0.98], [0, 1]];

export function pinGeometry(): THREE.BufferGeometry {
  return new THREE.LatheGeometry(PIN.map(([r, z]) => new THREE.Vector2(r, z)), 32).rotateX(Math.PI / 2);
}

// A profile seen from the left, drawn out to both sides with soft edges.
function drawnOut(profile: [number, number][], half: number, bevel: number): THREE.BufferGeometry {
  const outline = new THREE.Shape(profile.map(([x, z]) => new THREE.Vector2(x, z)));
  const solid = new THREE.ExtrudeGeometry(outline, {
    depth: 2 * (half - bevel), bevelEnabled: true, bevelThickness: bevel, bevelSize: bevel * 0.4,
    bevelSegments: 2, steps: 1,
  });
  // The profile's x stays, its y becomes z, and the way out becomes y.
  return solid.translate(0, 0, -(half - bevel)).rotateX(Math.PI / 2);
}

function tinted(geometry: THREE.BufferGeometry, color: number): THREE.BufferGeometry {
  const plain = geometry.index ? geometry.toNonIndexed() : geometry;
  const { r, g, b } = new THREE.Color(color);
  const colors = new Float32Array(3 * plain.attributes.position.count);
  for (let i = 0; i < colors.length; i += 3) colors.set([r, g, b], i);
  plain.setAttribute('color', new THREE.BufferAttribute(colors, 3));
  plain.deleteAttribute('uv');
  return plain;
}

// The painted shell: hood, doors, tail with a spoiler, and the roof.
export function carShell(): THREE.BufferGeometry {
  const lower = drawnOut([[-0.98, -0.45], [-0.97, 0.02], [-0.9, 0.16], [-0.5, 0.2], [0.3, 0.16], [0.8, 0.02],
    [0.97, -0.16], [0.98, -0.5], [0.8, -0.68], [-0.85, -0.68]], 0.94, 0.12);
  const roof = drawnOut([[-0.46, 0.78], [-0.4, 0.9], [-0.02, 0.92], [0.06, 0.8]], 0.7, 0.08);
  const wing = new THREE.BoxGeometry(0.14, 1.7, 0.05).translate(-0.9, 0, 0.42);
  const stays = [-0.5, 0.5].map((y) => new THREE.BoxGeometry(0.06, 0.06, 0.3).translate(-0.9, y, 0.27));
  return mergeGeometries([lower, roof, wing, ...stays].map((piece) => tinted(piece, 0xffffff)))!;
}

// Glass, lights, wheels.
export function carDetails(aspect: number): THREE.BufferGeometry {
  const glass = drawnOut([[-0.74, 0.16], [-0.46, 0.82], [0.02, 0.84], [0.42, 0.12]], 0.76, 0.1);
  const front = [-0.62, 0.62].map((y) => tinted(
    new THREE.BoxGeometry(0.06, 0.3, 0.1).translate(0.93, y, -0.1), 0xfff4d0));
  const rear = [-0.62, 0.62].map((y) => tinted(
    new THREE.BoxGeometry(0.04, 0.4, 0.1).translate(-0.975, y, -0.06), 0xc01818));
  // Wheels are round in metres, so their width here is that of the box in which they stand.
  const wheels = [[0.6, 0.86], [0.6, -0.86], [-0.62, 0.86], [-0.62, -0.86]].flatMap(([x, y]) => {
    const wheel = new THREE.CylinderGeometry(0.46, 0.46, 0.24, 28).scale(aspect, 1, 1).translate(x, y, -0.56);
    const rim = new THREE.CylinderGeometry(0.26, 0.26, 0.26, 20).scale(aspect, 1, 1).translate(x, y, -0.56);
    return [tinted(wheel, 0x141414), tinted(rim, 0xa8adb3)];
  });
  return mergeGeometries([tinted(glass, 0x10161c), ...front, ...rear, ...wheels])!;
}

// The dark below a car, where the sky does not reach: fades out around it.
export function carShade(): THREE.BufferGeometry {
  const geometry = new THREE.PlaneGeometry(2.6, 3, 16, 16).translate(0, 0, -0.97);
  const { position } = geometry.attributes, colors = new Float32Array(4 * position.count);
  for (let i = 0; i < position.count; i++) {
    const far = Math.hypot(Math.max(Math.abs(position.getX(i)) - 0.75, 0), Math.max(Math.abs(position.getY(i)) - 0.6, 0));
    colors[4 * i + 3] = 0.6 * (1 - THREE.MathUtils.smoothstep(far, 0, 0.55));
  }
  geometry.setAttribute('color', new THREE.BufferAttribute(colors, 4));
  return geometry;
}
