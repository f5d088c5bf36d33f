// What stands still: ground, regions and lines.

import * as THREE from 'three';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import { poseMatrix, shapeGeometry, shapeScale } from './bodies';
import type { Playback, Shape } from './playback';

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

const TINTS = [0x2f9e8f, 0xc77d3a, 0x6c7fc4, 0xb55f8d, 0x8a9a3b];

export class Scenery {
  readonly group = new THREE.Group();
  readonly planes: { body: number; mesh: THREE.Mesh }[] = [];
  readonly regions: { name: string; mesh: THREE.Mesh }[] = [];
  private grid: THREE.LineSegments;
  private shade: THREE.MeshStandardMaterial | null = null;

  constructor(private playback: Playback, private center: THREE.Vector3, private radius: number) {
    playback.bodies.forEach((body, index) => {
      for (const part of body.parts) {
        if (part.kind === 'plane') this.addPlane(index, part);
      }
    });
    if (this.planes.length === 0) this.addFloor();
    this.grid = this.makeGrid();
    this.group.add(this.grid);
    this.addRegions();
    this.addLines();
  }

  private ground(color: number): THREE.Mesh {
    const material = new THREE.MeshStandardMaterial({
      color, vertexColors: true, roughness: 0.95, metalness: 0, transparent: true, depthWrite: false,
      dithering: true,
      polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
    });
    const mesh = new THREE.Mesh(fadingDisc(this.radius * 3.6), material);
    mesh.receiveShadow = true;
    mesh.renderOrder = -2;
    return mesh;
  }

  private addPlane(index: number, part: Shape): void {
    const body = this.playback.bodies[index];
    const mesh = this.ground(body.color);
    const whole = poseMatrix(body.pose).multiply(poseMatrix(part.pose));
    // The disc lies around the scene, not around the plane's own origin.
    const local = this.center.clone().applyMatrix4(whole.clone().invert());
    mesh.geometry.translate(local.x, local.y, 0);
    mesh.applyMatrix4(whole);
    this.planes.push({ body: index, mesh });
    this.group.add(mesh);
  }

  // A scene without a plane gets a floor that is hardly there, to carry the shadows.
  private addFloor(): void {
    const mesh = this.ground(0xffffff);
    this.shade = mesh.material as THREE.MeshStandardMaterial;
    mesh.position.set(this.center.x, this.center.y, this.playback.low[2] - 1e-3 * this.radius);
    this.group.add(mesh);
  }

  private makeGrid(): THREE.LineSegments {
    const step = 10 ** Math.floor(Math.log10(this.radius / 1.5));
    const count = Math.ceil(this.radius * 1.6 / step);
    const places: number[] = [];
    const x = Math.round(this.center.x / step) * step, y = Math.round(this.center.y / step) * step;
    for (let i = -count; i <= count; i++) {
      const reach = Math.sqrt(Math.max(0, count * count - i * i)) * step;
      places.push(x + i * step, y - reach, 0, x + i * step, y + reach, 0);
      places.push(x - reach, y + i * step, 0, x + reach, y + i * step, 0);
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(places, 3));
    const material = new THREE.LineBasicMaterial({ transparent: true, depthWrite: false });
    const grid = new THREE.LineSegments(geometry, material);
    const low = this.planes.length > 0 ? 0 : this.playback.low[2];
    grid.position.z = low + 2e-4 * this.radius;
    grid.renderOrder = -1;
    return grid;
  }

  // One tinted mesh for all regions keeps the draw calls few; the parts for picking are not drawn.
  private addRegions(): void {
    const fills: THREE.BufferGeometry[] = [], edges: THREE.BufferGeometry[] = [];
    this.playback.regions.forEach((region, i) => {
      if (region.kind === 'plane') return;
      const geometry = this.regionGeometry(region);
      const color = new THREE.Color(TINTS[i % TINTS.length]);
      const colors = new Float32Array(geometry.attributes.position.count * 3);
      for (let k = 0; k < colors.length; k += 3) colors.set([color.r, color.g, color.b], k);
      geometry.setAttribute('color', new THREE.BufferAttribute(colors, 3));
      fills.push(geometry);
      const edge = new THREE.EdgesGeometry(geometry, 30);
      const edgeColors = new Float32Array(edge.attributes.position.count * 3);
      for (let k = 0; k < edgeColors.length; k += 3) edgeColors.set([color.r, color.g, color.b], k);
      edge.setAttribute('color', new THREE.BufferAttribute(edgeColors, 3));
      edges.push(edge);
      this.regions.push({ name: region.name, mesh: new THREE.Mesh(geometry) });
    });
    if (fills.length === 0) return;
    const tint = new THREE.MeshBasicMaterial({
      vertexColors: true, transparent: true, opacity: 0.22, depthWrite: false, side: THREE.DoubleSide,
    });
    const mesh = new THREE.Mesh(mergeGeometries(fills), tint);
    mesh.renderOrder = 1;
    const line = new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.8 });
    this.group.add(mesh, new THREE.LineSegments(mergeGeometries(edges), line));
  }

  // A region without a height is a mark on the floor.
  private regionGeometry(region: Shape): THREE.BufferGeometry {
    const thin = 1e-3 * this.radius;
    const geometry = shapeGeometry(region).toNonIndexed();
    geometry.deleteAttribute('uv');
    geometry.deleteAttribute('normal');
    const matrix = poseMatrix(region.pose, shapeScale(region, thin));
    if (region.half[2] === null) matrix.premultiply(new THREE.Matrix4().makeTranslation(0, 0, thin));
    return geometry.applyMatrix4(matrix);
  }

  private addLines(): void {
    const places: number[] = [], colors: number[] = [];
    for (const { points, closed, color } of this.playback.lines) {
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
    const lines = new LineSegments2(geometry, new LineMaterial({ vertexColors: true, linewidth: 1.6 }));
    lines.frustumCulled = false;
    this.group.add(lines);
  }

  theme(dark: boolean): void {
    const material = this.grid.material as THREE.LineBasicMaterial;
    material.color.set(dark ? 0xffffff : 0x000000);
    material.opacity = dark ? 0.05 : 0.06;
    this.shade?.color.set(dark ? 0x2a3236 : 0xe9e8e4);
    for (const { body, mesh } of this.planes) {
      const { color } = mesh.material as THREE.MeshStandardMaterial;
      color.setHex(this.playback.bodies[body].color);
      color.lerp(new THREE.Color(dark ? 0x14191b : 0xffffff), dark ? 0.45 : 0.25);
    }
  }
}
