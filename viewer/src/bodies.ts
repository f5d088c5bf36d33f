// All bodies in a few draw calls: one instanced mesh a sort of shape, one instance a part.

import * as THREE from 'three';
import { poseAt, type Playback, type Pose, type Shape, type World } from './playback';

interface Instance {
  body: number;
  mesh: THREE.InstancedMesh;
  index: number;
  local: THREE.Matrix4; // part's pose and size in the body's frame
}

const UNIT = new THREE.Vector3(1, 1, 1);

export function poseMatrix(pose: ArrayLike<number>, scale = UNIT): THREE.Matrix4 {
  return new THREE.Matrix4().compose(
    new THREE.Vector3(pose[0], pose[1], pose[2]),
    new THREE.Quaternion(pose[3], pose[4], pose[5], pose[6]), scale);
}

// Shapes with the same key share a mesh; the rest of their size is in the instance's scale.
export function shapeKey(shape: Shape): string {
  return shape.kind === 'prism' ? `prism ${JSON.stringify(shape.points)}` : shape.kind;
}

export function shapeScale({ kind, radius, half: [x, y, z] }: Shape, endless: number): THREE.Vector3 {
  const height = z ?? endless;
  switch (kind) {
    case 'sphere': return new THREE.Vector3(radius, radius, radius);
    case 'box': return new THREE.Vector3(x, y, height);
    case 'cylinder': return new THREE.Vector3(radius, radius, height);
    case 'prism': return new THREE.Vector3(1, 1, height);
    case 'plane': return new THREE.Vector3(1, 1, 1);
  }
}

// A shape of half size one.
export function shapeGeometry({ kind, points }: Shape): THREE.BufferGeometry {
  switch (kind) {
    case 'sphere': return new THREE.SphereGeometry(1, 32, 20);
    case 'cylinder': return new THREE.CylinderGeometry(1, 1, 2, 40).rotateX(Math.PI / 2);
    case 'prism': {
      const outline = new THREE.Shape(points.map(([x, y]) => new THREE.Vector2(x, y)));
      const solid = new THREE.ExtrudeGeometry(outline, { depth: 2, bevelEnabled: false });
      return solid.translate(0, 0, -1);
    }
    case 'box':
    case 'plane': return new THREE.BoxGeometry(2, 2, 2);
  }
}

export class Bodies {
  readonly group = new THREE.Group();
  private instances: Instance[] = [];
  private byBody: Instance[][];
  private pose = new Float64Array(7);
  private lit: number | null = null;
  // Written and read within one call: hundreds of bodies a frame make no garbage.
  private whole = new THREE.Matrix4();
  private product = new THREE.Matrix4();
  private at = new THREE.Vector3();
  private turn = new THREE.Quaternion();

  constructor(private playback: Playback) {
    this.byBody = playback.bodies.map(() => []);
    const sorts = new Map<string, { shape: Shape; body: number }[]>();
    playback.bodies.forEach(({ parts }, body) => {
      for (const shape of parts) {
        if (shape.kind === 'plane') continue; // scenery draws it
        const key = shapeKey(shape);
        sorts.set(key, [...(sorts.get(key) ?? []), { shape, body }]);
      }
    });
    for (const parts of sorts.values()) this.addMesh(parts);
    this.instances.forEach((instance) => this.byBody[instance.body].push(instance));
    playback.bodies.forEach((body, i) => this.place(i, body.pose));
    this.paint();
  }

  private addMesh(parts: { shape: Shape; body: number }[]): void {
    const material = new THREE.MeshStandardMaterial({ roughness: 0.62, metalness: 0.02 });
    const mesh = new THREE.InstancedMesh(shapeGeometry(parts[0].shape), material, parts.length);
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    parts.forEach(({ shape, body }, index) => {
      this.instances.push({ body, mesh, index, local: poseMatrix(shape.pose, shapeScale(shape, 1)) });
    });
    this.group.add(mesh);
  }

  private place(body: number, pose: Pose | Float64Array): void {
    const { whole, product } = this;
    whole.compose(this.at.set(pose[0], pose[1], pose[2]),
      this.turn.set(pose[3], pose[4], pose[5], pose[6]), UNIT);
    for (const { mesh, index, local } of this.byBody[body]) {
      mesh.setMatrixAt(index, product.multiplyMatrices(whole, local));
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  show(world: World, frame: number): void {
    this.playback.moving.forEach((body, track) => {
      this.place(body, poseAt(world, track, frame, this.pose));
    });
    // Raycasts start with the sphere around all instances, which has moved.
    for (const mesh of this.group.children) (mesh as THREE.InstancedMesh).boundingSphere = null;
  }

  // Where the body is drawn: read back from the instance, not from the playback.
  drawnAt(body: number): [number, number, number] | null {
    const instance = this.byBody[body][0];
    if (!instance) return null;
    const whole = new THREE.Matrix4();
    instance.mesh.getMatrixAt(instance.index, whole);
    whole.multiply(instance.local.clone().invert());
    const at = new THREE.Vector3().setFromMatrixPosition(whole);
    return [at.x, at.y, at.z];
  }

  highlight(body: number | null): boolean {
    if (body === this.lit) return false;
    this.lit = body;
    this.paint();
    return true;
  }

  private paint(): void {
    const color = new THREE.Color();
    for (const { body, mesh, index } of this.instances) {
      color.setHex(this.playback.bodies[body].color);
      if (body === this.lit) color.lerp(new THREE.Color(1, 1, 1), 0.35);
      mesh.setColorAt(index, color);
      mesh.instanceColor!.needsUpdate = true;
    }
  }

  pick(raycaster: THREE.Raycaster): { body: number; part: string; distance: number } | null {
    const [hit] = raycaster.intersectObjects(this.group.children, false);
    if (!hit) return null;
    const instance = this.instances.find(
      ({ mesh, index }) => mesh === hit.object && index === hit.instanceId)!;
    const own = this.byBody[instance.body].indexOf(instance);
    const parts = this.playback.bodies[instance.body].parts.filter(({ kind }) => kind !== 'plane');
    return { body: instance.body, part: parts[own]?.name ?? '', distance: hit.distance };
  }
}
