// Where and why branches of the search ended: a cross where one died, a ring where one came to its
// end, and the ways to those that died, which the tree does not keep. All lie in the order of the
// search, so a grown part is a number of them.

import * as THREE from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import type { Playback, Reason } from './playback';

export const END_COLORS: Record<Reason['kind'], number> = {
  goal: 0x2fbf71, rule: 0xd8432e, engine: 0xe08600, skill: 0x3f7fbf, time: 0x7b868c,
};
const DIED = new Set<Reason['kind']>(['rule', 'engine']);

// A cross or a ring, in white: points give it their colour.
function sign(cross: boolean): THREE.Texture {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 32;
  const context = canvas.getContext('2d')!;
  context.strokeStyle = '#fff';
  context.lineWidth = 6;
  if (cross) {
    context.moveTo(5, 5);
    context.lineTo(27, 27);
    context.moveTo(27, 5);
    context.lineTo(5, 27);
  } else context.arc(16, 16, 10, 0, 7);
  context.stroke();
  return new THREE.CanvasTexture(canvas);
}

// Things in the order of the search, of which a part is shown: those of certain reasons, up to an order.
class Part {
  private orders = new Float32Array(0);
  shown = 0;

  constructor(readonly geometry: THREE.BufferGeometry, private each: number) {}

  // The vertices of these things, `each` a thing.
  choose(index: number[], orders: number[]): void {
    this.geometry.setIndex(index);
    this.orders = Float32Array.from(orders);
  }

  grow(order: number): void {
    this.shown = this.orders.findIndex((each) => each > order);
    if (this.shown < 0) this.shown = this.orders.length;
    this.geometry.setDrawRange(0, this.each * this.shown);
  }
}

export class EndsView {
  readonly group = new THREE.Group();
  private ranks: number[]; // in the order of the search
  private reasons: Int32Array; // of each point: a way has that of its end
  private places: Float32Array;
  private signs: { kinds: (kind: Reason['kind']) => boolean; points: THREE.Points; part: Part }[] = [];
  private ways: Part | null = null;
  private way: LineSegments2;
  private muted: ReadonlySet<number> = new Set();
  private order = Infinity;

  constructor(private playback: Playback) {
    const { count, order } = playback.tree.ends;
    this.ranks = Array.from({ length: count }, (_, i) => i).sort((a, b) => order[a] - order[b] || a - b);
    this.reasons = this.resolve();
    this.places = this.gather();
    this.way = this.makeWay();
    if (count > 0) this.build();
    this.group.add(this.way);
    this.filter(this.muted);
  }

  // Points on the way come before the end they lead to.
  private resolve(): Int32Array {
    const { count, tree: { ends } } = { count: this.playback.tree.count, tree: this.playback.tree };
    const reasons = Int32Array.from(ends.reason);
    for (let i = ends.count - 1; i >= 0; i--) {
      const before = ends.parent[i] - count;
      if (before >= 0) reasons[before] = reasons[i];
    }
    return reasons;
  }

  // Places of all ends, then of the points of the tree that they follow on.
  private gather(): Float32Array {
    const { ends } = this.playback.tree, places = new Float32Array(6 * ends.count);
    for (let i = 0; i < ends.count; i++) {
      const at = ends.place.map((axis) => axis[i]);
      places.set([...at, ...this.before(i) ?? at], 6 * i);
    }
    return places;
  }

  private before(end: number): number[] | null {
    const { tree } = this.playback, parent = tree.ends.parent[end];
    if (parent < 0) return null;
    return parent < tree.count ? tree.place.map((axis) => axis[parent])
      : tree.ends.place.map((axis) => axis[parent - tree.count]);
  }

  private kind(end: number): Reason['kind'] | null {
    return this.playback.tree.reasons[this.reasons[end]]?.kind ?? null;
  }

  private build(): void {
    const { count } = this.playback.tree.ends;
    const place = new THREE.BufferAttribute(this.places, 3), colors = new Float32Array(6 * count);
    const color = new THREE.Color();
    for (let i = 0; i < count; i++) {
      const { r, g, b } = color.set(END_COLORS[this.kind(i) ?? 'time']);
      colors.set([r, g, b, r, g, b], 6 * i);
    }
    const geometry = () => new THREE.BufferGeometry().setAttribute('position', place)
      .setAttribute('color', new THREE.BufferAttribute(colors, 3));
    const lines = new THREE.LineSegments(geometry(), new THREE.LineBasicMaterial({
      vertexColors: true, transparent: true, opacity: 0.35, depthWrite: false,
    }));
    this.ways = new Part(lines.geometry, 2);
    lines.frustumCulled = false;
    this.group.add(lines);
    for (const cross of [false, true]) {
      const points = new THREE.Points(geometry(), new THREE.PointsMaterial({
        vertexColors: true, map: sign(cross), size: 9, sizeAttenuation: false, transparent: true, alphaTest: 0.3,
        depthWrite: false, depthTest: false,
      }));
      points.frustumCulled = false;
      points.renderOrder = 3;
      this.group.add(points);
      this.signs.push({ kinds: (kind) => DIED.has(kind) === cross, points, part: new Part(points.geometry, 1) });
    }
  }

  private makeWay(): LineSegments2 {
    const way = new LineSegments2(new LineSegmentsGeometry(), new LineMaterial({ linewidth: 4, depthTest: false, transparent: true }));
    way.visible = false;
    way.frustumCulled = false;
    way.renderOrder = 4;
    return way;
  }

  // Leave out what ended for these reasons.
  filter(muted: ReadonlySet<number>): void {
    this.muted = muted;
    const { ends } = this.playback.tree;
    const orders = (list: number[]) => list.map((i) => ends.order[i]);
    const seen = this.ranks.filter((i) => this.reasons[i] >= 0 && !muted.has(this.reasons[i]));
    this.ways?.choose(seen.flatMap((i) => [2 * i, 2 * i + 1]), orders(seen));
    for (const { kinds, part } of this.signs) {
      const own = seen.filter((i) => ends.reason[i] >= 0 && kinds(this.kind(i)!));
      part.choose(own.map((i) => 2 * i), orders(own));
    }
    this.grow(this.order);
  }

  // What the search had ended when it had kept so many branches.
  grow(order: number): void {
    this.order = order;
    this.ways?.grow(order);
    for (const { part } of this.signs) part.grow(order);
  }

  // How many signs are shown.
  get shown(): number {
    return this.signs.reduce((sum, { part }) => sum + part.shown, 0);
  }

  // The ends that can be pointed at now, in the order of the search.
  get list(): number[] {
    const { order, reason } = this.playback.tree.ends;
    return this.ranks.filter((i) => reason[i] >= 0 && !this.muted.has(reason[i]) && order[i] <= this.order);
  }

  // The way from the root to an end, or null: none.
  show(end: number | null): void {
    this.way.visible = end !== null;
    if (end === null) return;
    const { tree } = this.playback, places: number[] = [];
    places.push(...this.places.subarray(6 * end, 6 * end + 6));
    for (let at = tree.ends.parent[end]; at >= 0;) {
      const own = at >= tree.count, i = own ? at - tree.count : at;
      const from = own ? tree.ends : tree, next = from.parent[i];
      const before = next < 0 ? null : next >= tree.count ? tree.ends : tree;
      if (before) places.push(...from.place.map((axis) => axis[i]), ...before.place.map((axis) => axis[before === tree ? next : next - tree.count]));
      at = next;
    }
    this.way.geometry.dispose();
    this.way.geometry = new LineSegmentsGeometry().setPositions(places);
    this.way.material.color.set(END_COLORS[this.kind(end)!]);
  }

  // "Branch 17 broke the rule ...".
  describe(end: number): string {
    const { ends, reasons } = this.playback.tree, body = ends.body[end];
    const [x, y, z] = ends.place.map((axis) => axis[end].toFixed(2));
    const { kind, text } = reasons[ends.reason[end]];
    const who = this.playback.bodies[body].name || `body ${body}`;
    const died = DIED.has(kind);
    return `${died ? 'a branch that died' : `branch ${ends.order[end]}`}: ${text} · ${who} at (${x}, ${y}, ${z}) m`
      + (died ? ` · after ${(ends.order[end] - 1).toLocaleString('en')} kept branches` : '');
  }

  pick(raycaster: THREE.Raycaster, reach: number): number | null {
    raycaster.params.Points.threshold = reach;
    const hits = this.signs.flatMap(({ points }) => raycaster.intersectObject(points, false))
      .sort((a, b) => a.distanceToRay! - b.distanceToRay!);
    return hits.length > 0 ? hits[0].index! / 2 : null;
  }
}
