// The search tree: one object of points, one of edges, both in the order in which the search made
// them, so that a grown part is a number of points and edges.

import * as THREE from 'three';
import { EndsView } from './ends';
import type { Playback } from './playback';

export class TreeView {
  readonly group = new THREE.Group();
  readonly count: number;
  readonly orders: Float32Array; // of the nodes, sorted
  private nodes: Uint32Array; // index of each drawn node
  private points: THREE.Points;
  private edges: THREE.LineSegments;
  private edgesUpTo: Uint32Array; // edges among the first n nodes
  readonly ends: EndsView;
  shown = 0;

  constructor(private playback: Playback) {
    const { tree } = playback;
    this.count = tree.count;
    this.nodes = Uint32Array.from(Array.from(tree.order.keys())
      .sort((a, b) => tree.order[a] - tree.order[b] || a - b));
    this.orders = Float32Array.from(this.nodes, (node) => tree.order[node]);
    this.edgesUpTo = new Uint32Array(this.count + 1);
    const [points, edges] = this.build();
    const few = this.count < 5000;
    this.points = new THREE.Points(points, new THREE.PointsMaterial({
      vertexColors: true, size: few ? 4 : 2.6, sizeAttenuation: false, transparent: true, opacity: 0.85,
      depthWrite: false,
    }));
    this.edges = new THREE.LineSegments(edges, new THREE.LineBasicMaterial({
      vertexColors: true, transparent: true, opacity: few ? 0.5 : 0.25, depthWrite: false,
    }));
    this.points.frustumCulled = this.edges.frustumCulled = false;
    this.ends = new EndsView(playback);
    this.group.add(this.edges, this.points, this.ends.group);
    this.group.visible = false;
    this.grow(1);
  }

  private build(): [THREE.BufferGeometry, THREE.BufferGeometry] {
    const { tree } = this.playback;
    const [x, y, z] = tree.place;
    // Old branches are pale, young ones strong; no body has these hues, so tree and plan differ.
    const old = new THREE.Color(0xb7a4e6), young = new THREE.Color(0x6d2fc9), tint = new THREE.Color();
    const places = new Float32Array(3 * this.count), colors = new Float32Array(3 * this.count);
    const rank = new Uint32Array(this.count);
    const index: number[] = [];
    this.nodes.forEach((node, i) => { rank[node] = i; });
    this.nodes.forEach((node, i) => {
      const { r, g, b } = tint.copy(old).lerp(young, i / this.count);
      places.set([x[node], y[node], z[node]], 3 * i);
      colors.set([r, g, b], 3 * i);
      if (tree.parent[node] >= 0) index.push(rank[tree.parent[node]], i);
      this.edgesUpTo[i + 1] = index.length / 2;
    });
    const place = new THREE.BufferAttribute(places, 3), color = new THREE.BufferAttribute(colors, 3);
    const geometries = [new THREE.BufferGeometry(), new THREE.BufferGeometry()] as const;
    for (const geometry of geometries) {
      geometry.setAttribute('position', place);
      geometry.setAttribute('color', color);
    }
    geometries[1].setIndex(index);
    return [geometries[0], geometries[1]];
  }

  // The part of the tree that the first `share` of all attempts made.
  grow(share: number): void {
    if (this.count === 0) return;
    const limit = this.orders[0] + share * (this.orders[this.count - 1] - this.orders[0]);
    let low = 0, high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.orders[middle] <= limit) low = middle + 1;
      else high = middle;
    }
    this.shown = low;
    this.ends.grow(share < 1 ? limit : Infinity);
    this.points.geometry.setDrawRange(0, low);
    this.edges.geometry.setDrawRange(0, 2 * this.edgesUpTo[low]);
  }

  pick(raycaster: THREE.Raycaster, reach: number): { body: number; order: number; distance: number } | null {
    raycaster.params.Points.threshold = reach;
    const hits = raycaster.intersectObject(this.points, false);
    const hit = hits.sort((a, b) => a.distanceToRay! - b.distanceToRay!)[0];
    if (!hit) return null;
    const node = this.nodes[hit.index!];
    return {
      body: this.playback.tree.body[node], order: this.playback.tree.order[node], distance: hit.distance,
    };
  }
}
