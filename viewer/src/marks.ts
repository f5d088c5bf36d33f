// What is painted on the ground: lines, outlines, discs, patches and roads. Neither they nor the
// ground write depth, and they are drawn in the order of the file, so nothing flickers.

import * as THREE from 'three';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import { finishMaterial } from './finishes';
import type { Mark, Playback } from './playback';

type Point = [number, number, number];

const KERB = 0.9; // m wide
const WALL = 0.7; // m high

class Builder {
  private places: number[] = [];
  private colors: number[] = [];

  constructor(private color = new THREE.Color(1, 1, 1)) {}

  tint(color: number): this {
    this.color = new THREE.Color(color);
    return this;
  }

  // a, b, c, d counter-clockwise from above.
  quad(a: Point, b: Point, c: Point, d: Point): void {
    for (const p of [a, b, c, a, c, d]) {
      this.places.push(...p);
      this.colors.push(this.color.r, this.color.g, this.color.b);
    }
  }

  done(): THREE.BufferGeometry | null {
    if (this.places.length === 0) return null;
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(this.places, 3));
    geometry.setAttribute('color', new THREE.Float32BufferAttribute(this.colors, 3));
    geometry.computeVertexNormals();
    return geometry;
  }
}

// A ribbon along points, with corners cut at half the angle.
function ribbon(builder: Builder, points: Point[], width: number, closed: boolean): void {
  const count = points.length, edges: [Point, Point][] = [];
  for (let i = 0; i < count; i++) {
    const before = points[closed ? (i + count - 1) % count : Math.max(i - 1, 0)];
    const after = points[closed ? (i + 1) % count : Math.min(i + 1, count - 1)];
    const one = unit(before, points[i]), two = unit(points[i], after);
    let [tx, ty] = [one[0] + two[0], one[1] + two[1]];
    const length = Math.hypot(tx, ty) || 1;
    [tx, ty] = [tx / length, ty / length];
    const cut = (two[0] || two[1]) ? two : one;
    const reach = width / 2 / Math.max(Math.abs(tx * cut[0] + ty * cut[1]), 0.3);
    const [x, y, z] = points[i];
    edges.push([[x - ty * reach, y + tx * reach, z], [x + ty * reach, y - tx * reach, z]]);
  }
  for (let i = 0; i + 1 < count + (closed ? 1 : 0); i++) {
    const [la, ra] = edges[i], [lb, rb] = edges[(i + 1) % count];
    builder.quad(ra, rb, lb, la);
  }
}

function unit(a: Point, b: Point): [number, number] {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  return length > 0 ? [(b[0] - a[0]) / length, (b[1] - a[1]) / length] : [0, 0];
}

function turned({ at, heading }: Mark, x: number, y: number): Point {
  const c = Math.cos(heading), s = Math.sin(heading);
  return [at[0] + c * x - s * y, at[1] + s * x + c * y, at[2]];
}

function arcPoints(mark: Mark): { points: Point[]; closed: boolean } {
  const [from, to] = mark.arc, sweep = to - from;
  const closed = Math.abs(sweep) >= 2 * Math.PI - 1e-6;
  const count = Math.max(8, Math.ceil(Math.abs(sweep) * 15));
  const points = Array.from({ length: closed ? count : count + 1 }, (_, i) => {
    const angle = from + (sweep * i) / count;
    return turned(mark, mark.size[0] * Math.cos(angle), mark.size[0] * Math.sin(angle));
  });
  return { points, closed };
}

function flat(mark: Mark): THREE.BufferGeometry | null {
  const builder = new Builder().tint(mark.color);
  const [w, h] = [mark.size[0] / 2, mark.size[1] / 2];
  const corners = (): Point[] => [turned(mark, -w, -h), turned(mark, w, -h), turned(mark, w, h), turned(mark, -w, h)];
  switch (mark.kind) {
    case 'line': ribbon(builder, mark.points, mark.width, mark.closed); break;
    case 'box': ribbon(builder, corners(), mark.width, true); break;
    case 'circle': {
      const { points, closed } = arcPoints(mark);
      ribbon(builder, points, mark.width, closed);
      break;
    }
    case 'disc': {
      const { points } = arcPoints({ ...mark, arc: [0, 2 * Math.PI], heading: 0 });
      points.forEach((p, i) => {
        const q = points[(i + 1) % points.length];
        builder.quad(mark.at, p, q, q);
      });
      break;
    }
    case 'patch': {
      const [a, b, c, d] = corners();
      builder.quad(a, b, c, d);
      break;
    }
    default: return null;
  }
  return builder.done();
}

// ------------------------------------------------------------------------------------------
// Roads: asphalt between the edges, kerbs where it bends, a chequered start, walls along it.

interface Edges {
  left: Point[];
  right: Point[];
  closed: boolean;
}

function edgesOf(mark: Mark): Edges {
  const count = mark.points.length / 2;
  return { left: mark.points.slice(0, count), right: mark.points.slice(count), closed: mark.closed };
}

const mix = (a: Point, b: Point, share: number): Point =>
  [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2])];

function segments(count: number, closed: boolean): [number, number][] {
  return Array.from({ length: count - (closed ? 0 : 1) }, (_, i) => [i, (i + 1) % count]);
}

function surface({ left, right, closed }: Edges, color: number): THREE.BufferGeometry | null {
  const builder = new Builder().tint(color);
  for (const [i, j] of segments(left.length, closed)) builder.quad(right[i], right[j], left[j], left[i]);
  return builder.done();
}

// How much the road turns near a gate, over some ten metres, in radians a metre.
function bend({ left, right, closed }: Edges, i: number): number {
  const count = left.length;
  const middle = (k: number) => mix(left[k], right[k], 0.5);
  const step = (k: number) => (closed ? (k + count) % count : Math.min(Math.max(k, 0), count - 1));
  const reach = Math.max(1, Math.round(6 / Math.max(Math.hypot(
    middle(step(i + 1))[0] - middle(i)[0], middle(step(i + 1))[1] - middle(i)[1]), 0.1)));
  const [a, b, c] = [middle(step(i - reach)), middle(i), middle(step(i + reach))];
  const one = unit(a, b), two = unit(b, c);
  const turn = Math.atan2(one[0] * two[1] - one[1] * two[0], one[0] * two[0] + one[1] * two[1]);
  return turn / Math.max(Math.hypot(c[0] - a[0], c[1] - a[1]) / 2, 0.1);
}

function kerbs(edges: Edges): THREE.BufferGeometry | null {
  const builder = new Builder();
  const { left, right, closed } = edges;
  let gone = 0;
  for (const [i, j] of segments(left.length, closed)) {
    const wide = Math.hypot(left[i][0] - right[i][0], left[i][1] - right[i][1]);
    const share = Math.min(KERB / Math.max(wide, 0.1), 0.2);
    gone += Math.hypot(left[j][0] - left[i][0], left[j][1] - left[i][1]);
    if (Math.abs(bend(edges, i)) < 0.012) continue;
    builder.tint(Math.floor(gone / 2) % 2 ? 0xc9342c : 0xf2efe8);
    builder.quad(mix(left[i], right[i], share), mix(left[j], right[j], share), left[j], left[i]);
    builder.quad(right[i], right[j], mix(right[j], left[j], share), mix(right[i], left[i], share));
  }
  return builder.done();
}

function chequered({ left, right }: Edges): THREE.BufferGeometry | null {
  const builder = new Builder();
  const [tx, ty] = unit(left[0], left[1] ?? left[0]);
  for (let row = 0; row < 2; row++) {
    for (let k = 0; k < 16; k++) {
      builder.tint((k + row) % 2 ? 0x1a1a1a : 0xf4f4f4);
      const a = mix(right[0], left[0], k / 16), b = mix(right[0], left[0], (k + 1) / 16);
      const far = (p: Point, s: number): Point => [p[0] + tx * s, p[1] + ty * s, p[2]];
      builder.quad(far(a, row * 0.7), far(a, (row + 1) * 0.7), far(b, (row + 1) * 0.7), far(b, row * 0.7));
    }
  }
  return builder.done();
}

function walls({ left, right, closed }: Edges): THREE.BufferGeometry | null {
  const builder = new Builder();
  const up = (p: Point): Point => [p[0], p[1], p[2] + WALL];
  for (const [i, j] of segments(left.length, closed)) {
    const outside = (a: Point, b: Point): Point => mix(b, a, 1 + 0.35 / Math.max(Math.hypot(a[0] - b[0], a[1] - b[1]), 0.1));
    for (const [edge, other, flip] of [[left, right, false], [right, left, true]] as const) {
      builder.tint(0xc9ccd0);
      const a = edge[i], b = edge[j], oa = outside(a, other[i]), ob = outside(b, other[j]);
      if (flip) {
        builder.quad(b, a, up(a), up(b));
        builder.quad(up(b), up(a), up(oa), up(ob));
        builder.quad(oa, ob, up(ob), up(oa));
      } else {
        builder.quad(a, b, up(b), up(a));
        builder.quad(up(a), up(b), up(ob), up(oa));
        builder.quad(ob, oa, up(oa), up(ob));
      }
    }
  }
  return builder.done();
}

// ------------------------------------------------------------------------------------------

export class Marks {
  readonly group = new THREE.Group();
  readonly hasRoad: boolean;
  private order = 0;

  constructor(playback: Playback) {
    const { marks } = playback;
    this.hasRoad = marks.some(({ kind }) => kind === 'road');
    let run: Mark[] = [];
    const flush = () => {
      const pieces = run.map(flat).filter((piece) => piece !== null);
      if (pieces.length > 0) this.add(mergeGeometries(pieces)!, run[0].finish);
      run = [];
    };
    for (const mark of marks) {
      if (mark.kind === 'block' || mark.kind === 'post' || mark.kind === 'rope' || mark.body >= 0) continue;
      if (mark.kind === 'road') {
        flush();
        this.addRoad(mark);
        continue;
      }
      // What looks alike and comes one after the other is one mesh.
      if (run.length > 0 && run[0].finish !== mark.finish) flush();
      run.push(mark);
    }
    flush();
  }

  private addRoad(mark: Mark): void {
    const edges = edgesOf(mark);
    if (edges.left.length < 2) return;
    for (const [geometry, finish] of [[surface(edges, mark.color), mark.finish], [kerbs(edges), 'plain'],
      [chequered(edges), 'plain']] as const) {
      if (geometry) this.add(geometry, finish);
    }
    const solid = walls(edges);
    if (!solid) return;
    const mesh = new THREE.Mesh(solid, finishMaterial('concrete', { vertexColors: true, side: THREE.DoubleSide }));
    mesh.castShadow = mesh.receiveShadow = true;
    this.group.add(mesh);
  }

  private add(geometry: THREE.BufferGeometry, finish: Mark['finish']): void {
    const material = finishMaterial(finish, {
      vertexColors: true, transparent: true, depthWrite: false, side: THREE.DoubleSide,
      polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -8,
    });
    const mesh = new THREE.Mesh(geometry, material);
    mesh.receiveShadow = true;
    mesh.renderOrder = -1.9 + this.order++ * 1e-3;
    this.group.add(mesh);
  }
}
