// What stands still: ground, marks, regions and lines.

import * as THREE from 'three';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import { finishMaterial, MOWING, type Surface } from './finishes';
import { Marks } from './marks';
import type { Finish, Playback, Shape } from './playback';
import { poseMatrix, shapeGeometry, shapeScale } from './shapes';

// A disc that fades into the page, so that an endless plane has no edge.
function fadingDisc(radius: number): THREE.BufferGeometry {
  const geometry = new THREE.RingGeometry(0, radius, 96, 32);
  const { position } = geometry.attributes;
  const colors = new Float32Array(4 * position.count).fill(1);
  for (let i = 0; i < position.count; i++) {
    const far = Math.hypot(position.getX(i), position.getY(i)) / radius;
    colors[4 * i + 3] = 1 - THREE.MathUtils.smoothstep(far, 0.25, 1);
  }
  geometry.setAttribute('color', new THREE.BufferAttribute(colors, 4));
  return geometry;
}

export const GOAL = 0x2fbf71;
const PLACE = 0x8b9aa0; // regions that only the search knows
const FIELD = 0x55743f; // beside a road
const COVER = 12; // a goal of more than this part of the scene (a tray below the table) is not drawn

export class Scenery {
  readonly group = new THREE.Group();
  readonly planes: { body: number; mesh: THREE.Mesh }[] = [];
  readonly regions: { name: string; goal: boolean; mesh: THREE.Mesh }[] = [];
  private places = new THREE.Group();
  private grid: THREE.LineSegments;
  private floor: Surface | null = null;
  private marks: Marks;

  constructor(private playback: Playback, private center: THREE.Vector3, private radius: number) {
    this.marks = new Marks(playback);
    MOWING.value = this.marks.hasRoad ? 12 : 0.5;
    playback.bodies.forEach((body, index) => {
      for (const part of body.parts) {
        if (part.kind === 'plane') this.addPlane(index, part);
      }
    });
    if (this.planes.length === 0) this.addFloor();
    this.grid = this.makeGrid();
    this.group.add(this.grid, this.marks.group, this.places);
    this.addRegions();
    this.addLines();
  }

  private ground(color: number, finish: Finish): THREE.Mesh {
    const material = finishMaterial(finish, {
      color, vertexColors: true, transparent: true, depthWrite: false, dithering: finish === 'plain', polygonOffset: true,
      polygonOffsetFactor: 1, polygonOffsetUnits: 1,
    });
    const mesh = new THREE.Mesh(fadingDisc(this.radius * 3.6), material);
    mesh.receiveShadow = true;
    mesh.renderOrder = -2;
    return mesh;
  }

  private addPlane(index: number, part: Shape): void {
    const body = this.playback.bodies[index];
    const dress = this.playback.dresses.find((each) => each.body === index);
    const mesh = this.ground(body.color, dress?.finish ?? 'plain');
    const whole = poseMatrix(body.pose).multiply(poseMatrix(part.pose));
    // The disc lies around the scene, not around the plane's own origin.
    const local = this.center.clone().applyMatrix4(whole.clone().invert());
    mesh.geometry.translate(local.x, local.y, 0);
    mesh.applyMatrix4(whole);
    mesh.visible = dress?.finish !== 'hidden';
    this.planes.push({ body: index, mesh });
    this.group.add(mesh);
  }

  // A scene without a plane gets a floor that is hardly there, to carry the shadows; beside a road
  // there is grass.
  private addFloor(): void {
    const mesh = this.ground(this.marks.hasRoad ? FIELD : 0xffffff, this.marks.hasRoad ? 'grass' : 'plain');
    if (!this.marks.hasRoad) this.floor = mesh.material as Surface;
    const low = this.marks.hasRoad ? 0 : this.playback.low[2];
    mesh.position.set(this.center.x, this.center.y, low - 1e-3 * this.radius);
    this.group.add(mesh);
  }

  // On the lowest ground there is: higher up it would fight with what lies there.
  private makeGrid(): THREE.LineSegments {
    const step = 10 ** Math.floor(Math.log10(this.radius / 1.5));
    const count = Math.ceil(this.radius * 1.6 / step);
    const places: number[] = [];
    const x = Math.round(this.center.x / step) * step, y = Math.round(this.center.y / step) * step;
    const z = this.planes.length > 0 ? Math.min(...this.planes.map(({ mesh }) => mesh.position.z)) : 0;
    for (let i = -count; i <= count; i++) {
      const reach = Math.sqrt(Math.max(0, count * count - i * i)) * step;
      places.push(x + i * step, y - reach, z, x + i * step, y + reach, z);
      places.push(x - reach, y + i * step, z, x + reach, y + i * step, z);
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(places, 3));
    const material = new THREE.LineBasicMaterial({ transparent: true, depthWrite: false });
    const lines = new THREE.LineSegments(geometry, material);
    lines.renderOrder = -1.95;
    // Where something is painted, the paint gives the scale.
    lines.visible = this.playback.marks.length === 0;
    return lines;
  }

  // The goal is filled and framed; the other regions, which only the search knows, are thin frames.
  private addRegions(): void {
    const edges: THREE.BufferGeometry[] = [];
    const { regions, goals } = this.playback;
    const whole = (2 * this.radius) ** 2;
    regions.forEach((region, i) => {
      const goal = goals.includes(i);
      const geometry = this.regionGeometry(region);
      this.regions.push({ name: region.name, goal, mesh: new THREE.Mesh(geometry) });
      if (goal) {
        const [x, y] = region.kind === 'box' ? region.half : [region.radius, region.radius];
        this.addGoal(geometry, 4 * x * y * COVER < whole);
      } else {
        edges.push(this.edgesOf(geometry, PLACE));
      }
    });
    if (edges.length === 0) return;
    const line = new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.35, depthWrite: false });
    this.places.add(new THREE.LineSegments(mergeGeometries(edges), line));
  }

  private edgesOf(geometry: THREE.BufferGeometry, color: number): THREE.BufferGeometry {
    const edge = new THREE.EdgesGeometry(geometry, 40);
    const tint = new THREE.Color(color);
    const colors = new Float32Array(3 * edge.attributes.position.count);
    for (let k = 0; k < colors.length; k += 3) colors.set([tint.r, tint.g, tint.b], k);
    edge.setAttribute('color', new THREE.BufferAttribute(colors, 3));
    return edge;
  }

  private addGoal(geometry: THREE.BufferGeometry, filled: boolean): void {
    const fill = new THREE.MeshBasicMaterial({
      color: GOAL, transparent: true, opacity: 0.2, depthWrite: false, side: THREE.DoubleSide,
    });
    const mesh = new THREE.Mesh(geometry, fill);
    mesh.renderOrder = 1;
    mesh.visible = filled;
    const places = new THREE.EdgesGeometry(geometry, 40).attributes.position.array as Float32Array;
    const frame = new LineSegments2(new LineSegmentsGeometry().setPositions(places),
      new LineMaterial({ color: GOAL, linewidth: 2 }));
    frame.frustumCulled = false;
    frame.visible = filled;
    this.group.add(mesh, frame);
  }

  showPlaces(shown: boolean): void {
    this.places.visible = shown;
  }

  // A region without a height is a mark on the floor.
  private regionGeometry(region: Shape): THREE.BufferGeometry {
    const thin = 1e-3 * this.radius;
    const geometry = shapeGeometry(region).toNonIndexed();
    geometry.deleteAttribute('uv');
    geometry.deleteAttribute('normal');
    const matrix = poseMatrix(region.pose, shapeScale(region, thin));
    if (region.half[2] === null) matrix.premultiply(new THREE.Matrix4().makeTranslation(0, 0, 2 * thin));
    return geometry.applyMatrix4(matrix);
  }

  private addLines(): void {
    const places: number[] = [], colors: number[] = [];
    // A road has its edges, and the line that is driven is the trail of the car.
    const { lines, marks } = this.playback;
    const road = marks.some(({ kind }) => kind === 'road');
    for (const { points, closed, color } of road ? [] : lines) {
      const count = points.length / 3;
      const { r, g, b } = new THREE.Color(color);
      for (let i = 0; i + 1 < count + (closed ? 1 : 0); i++) {
        const j = (i + 1) % count;
        places.push(...points.subarray(3 * i, 3 * i + 3), ...points.subarray(3 * j, 3 * j + 3));
        colors.push(r, g, b, r, g, b);
      }
    }
    if (places.length === 0) return;
    const geometry = new LineSegmentsGeometry().setPositions(places).setColors(colors);
    const segments = new LineSegments2(geometry, new LineMaterial({ vertexColors: true, linewidth: 1.6 }));
    segments.frustumCulled = false;
    this.group.add(segments);
  }

  theme(dark: boolean): void {
    const material = this.grid.material as THREE.LineBasicMaterial;
    material.color.set(dark ? 0xffffff : 0x000000);
    material.opacity = dark ? 0.05 : 0.06;
    this.floor?.color.set(dark ? 0x2a3236 : 0xe9e8e4);
    for (const { body, mesh } of this.planes) {
      const { color } = mesh.material as Surface;
      const dressed = this.playback.dresses.some((each) => each.body === body);
      color.setHex(this.playback.bodies[body].color);
      if (!dressed) color.lerp(new THREE.Color(dark ? 0x14191b : 0xffffff), dark ? 0.45 : 0.25);
    }
  }
}
