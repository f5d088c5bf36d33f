// All bodies in a few draw calls: one instanced mesh a sort of shape and finish, one instance a
// part. Blocks and posts of the decor are instances too: those on a body move with it.

import * as THREE from 'three';
import { finishMaterial } from './finishes';
import { poseAt, type Finish, type Mark, type Playback, type Pose, type Shape, type World } from './playback';
import { Ropes } from './ropes';
import { carDetails, carShade, carShell, pinGeometry, poseMatrix, shapeGeometry, shapeKey, shapeScale } from './shapes';

interface Instance {
  body: number; // -1: of the decor, standing still
  decor: boolean;
  mesh: THREE.InstancedMesh;
  index: number;
  color: number;
  local: THREE.Matrix4; // part's pose and size in the body's frame
}

// A part on its way into a mesh.
interface Piece {
  shape: Shape;
  body: number;
  finish: Finish;
  color: number;
  number: number;
  decor: boolean;
}

const UNIT = new THREE.Vector3(1, 1, 1);
const BALLS = new Set<Finish>(['gloss', 'striped', 'golf']);

// A block or post stands on its place.
function markShape(mark: Mark): Shape {
  const [x, y, z] = mark.size;
  const high = mark.kind === 'post' ? y : z;
  const half = Math.sin(mark.heading / 2), other = Math.cos(mark.heading / 2);
  return {
    kind: mark.kind === 'post' ? 'cylinder' : 'box', radius: x, half: [x / 2, y / 2, high / 2], points: [], name: '',
    pose: [mark.at[0], mark.at[1], mark.at[2] + high / 2, 0, 0, half, other],
  };
}

export class Bodies {
  readonly group = new THREE.Group();
  readonly ropes: Ropes;
  private instances: Instance[] = [];
  private byBody: Instance[][];
  private pose = new Float64Array(7);
  private shown: Float64Array; // the poses that are drawn, seven numbers a body
  private lit: number | null = null;
  private dyed: { color: THREE.Color; share: number } | null = null;
  // Written and read within one call: hundreds of bodies a frame make no garbage.
  private whole = new THREE.Matrix4();
  private product = new THREE.Matrix4();
  private at = new THREE.Vector3();
  private turn = new THREE.Quaternion();

  // ghost: only what moves, and translucent.
  constructor(private playback: Playback, private ghost = false) {
    this.byBody = playback.bodies.map(() => []);
    this.shown = new Float64Array(7 * playback.bodies.length).fill(NaN);
    const sorts = new Map<string, Piece[]>();
    for (const piece of this.pieces()) {
      const ball = piece.shape.kind === 'sphere' && BALLS.has(piece.finish);
      const key = piece.finish === 'car' ? 'car' : `${shapeKey(piece.shape)} ${ball ? 'ball' : piece.finish}`;
      const sort = sorts.get(key);
      if (sort) sort.push(piece);
      else sorts.set(key, [piece]);
    }
    for (const pieces of sorts.values()) this.addSort(pieces);
    for (const instance of this.instances) if (instance.body >= 0) this.byBody[instance.body].push(instance);
    playback.bodies.forEach((body, i) => this.place(i, body.pose));
    this.ropes = new Ropes(ghost ? [] : playback.marks);
    this.ropes.place(this.shown);
    this.group.add(this.ropes.group);
    this.paint();
  }

  private pieces(): Piece[] {
    const { bodies, dresses, marks } = this.playback;
    const finishes = bodies.map((): Finish => 'plain'), numbers = bodies.map(() => 0);
    for (const { body, finish, number } of dresses) {
      finishes[body] = finish;
      numbers[body] = number;
    }
    const own = bodies.flatMap(({ parts, color }, body): Piece[] => {
      const finish = finishes[body];
      if (finish === 'hidden') return [];
      const solid = parts.filter(({ kind }) => kind !== 'plane'); // scenery draws planes
      return (finish === 'car' ? solid.slice(0, 1) : solid)
        .map((shape) => ({ shape, body, finish, color, number: numbers[body], decor: false }));
    });
    const put = marks.filter(({ kind }) => kind === 'block' || kind === 'post')
      .map((mark): Piece => ({
        shape: markShape(mark), body: mark.body, finish: mark.finish, color: mark.color, number: 0, decor: true,
      }));
    const moves = ({ body }: Piece) => body >= 0 && bodies[body].track >= 0;
    return this.ghost ? [...own, ...put].filter(moves) : [...own, ...put];
  }

  private addSort(pieces: Piece[]): void {
    const [{ shape, finish }] = pieces;
    if (this.ghost) {
      this.addMesh(pieces, finish === 'car' ? carShell() : finish === 'pin' && shape.kind === 'cylinder' ? pinGeometry() : shapeGeometry(shape),
        finishMaterial('plain', { roughness: 1, transparent: true, opacity: 0.5, depthWrite: false, vertexColors: finish === 'car' }));
      return;
    }
    if (finish === 'car') {
      const [length, , height] = shape.half;
      this.addMesh(pieces, carShell(), finishMaterial('car', { vertexColors: true }));
      this.addMesh(pieces.map((piece) => ({ ...piece, color: 0xffffff })), carDetails(height! / length),
        finishMaterial('plain', { vertexColors: true, roughness: 0.3 }));
      const shade = this.addMesh(pieces, carShade(), new THREE.MeshBasicMaterial({
        vertexColors: true, transparent: true, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -4, polygonOffsetUnits: -16,
      }));
      shade.castShadow = shade.receiveShadow = false;
      shade.renderOrder = -1.4; // on the rubber that it leaves
      return;
    }
    const geometry = finish === 'pin' && shape.kind === 'cylinder' ? pinGeometry() : shapeGeometry(shape);
    const ball = shape.kind === 'sphere' && BALLS.has(finish);
    if (ball) {
      const info = pieces.flatMap((piece) => [piece.finish === 'striped' ? 1 : 0, piece.number]);
      geometry.setAttribute('ball', new THREE.InstancedBufferAttribute(new Float32Array(info), 2));
    }
    this.addMesh(pieces, geometry, finishMaterial(finish, {}, ball));
  }

  private addMesh(pieces: Piece[], geometry: THREE.BufferGeometry, material: THREE.Material): THREE.InstancedMesh {
    const mesh = new THREE.InstancedMesh(geometry, material, pieces.length);
    mesh.castShadow = mesh.receiveShadow = pieces[0].finish !== 'net' && !this.ghost;
    mesh.frustumCulled = false;
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    pieces.forEach(({ shape, body, color, decor }, index) => {
      const local = poseMatrix(shape.pose, shapeScale(shape, 1));
      this.instances.push({ body, decor, mesh, index, color, local });
      if (body < 0) mesh.setMatrixAt(index, local);
    });
    this.group.add(mesh);
    return mesh;
  }

  // True if the body is drawn there already: most of a heap rests most of the time.
  private rests(body: number, pose: Pose | Float64Array): boolean {
    const { shown } = this;
    let same = true;
    for (let i = 0, k = 7 * body; i < 7; i++, k++) {
      same = same && shown[k] === pose[i];
      shown[k] = pose[i];
    }
    return same;
  }

  private place(body: number, pose: Pose | Float64Array): void {
    if (this.rests(body, pose)) return;
    const { whole, product } = this;
    whole.compose(this.at.set(pose[0], pose[1], pose[2]),
      this.turn.set(pose[3], pose[4], pose[5], pose[6]), UNIT);
    for (const { mesh, index, local } of this.byBody[body]) {
      mesh.setMatrixAt(index, product.multiplyMatrices(whole, local));
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  show(world: Pick<World, 'frames' | 'motion'>, frame: number): void {
    const { moving } = this.playback;
    for (let track = 0; track < moving.length; track++) {
      this.place(moving[track], poseAt(world, track, frame, this.pose));
    }
    this.ropes.place(this.shown);
  }

  // Where the body is drawn: read back from the instance, not from the playback.
  drawnAt(body: number): [number, number, number] | null {
    const instance = this.byBody[body].find(({ decor }) => !decor);
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

  // So much of a colour in every body's own.
  dye(color: THREE.Color, share: number): void {
    this.dyed = { color, share };
    this.paint();
  }

  private paint(): void {
    const color = new THREE.Color();
    for (const { body, mesh, index, color: own } of this.instances) {
      color.setHex(own);
      if (this.dyed) color.lerp(this.dyed.color, this.dyed.share);
      if (body >= 0 && body === this.lit) color.lerp(new THREE.Color(1, 1, 1), 0.35);
      mesh.setColorAt(index, color);
      mesh.instanceColor!.needsUpdate = true;
    }
  }

  pick(raycaster: THREE.Raycaster): { body: number; part: string; distance: number } | null {
    // Raycasts start with the sphere around all instances, which has moved.
    for (const mesh of this.group.children) (mesh as THREE.InstancedMesh).boundingSphere = null;
    for (const hit of raycaster.intersectObjects(this.group.children, false)) {
      const instance = this.instances.find(
        ({ mesh, index }) => mesh === hit.object && index === hit.instanceId)!;
      if (instance.body < 0) continue; // nobody asks after a flag
      const own = this.byBody[instance.body].filter(({ decor }) => !decor).indexOf(instance);
      const parts = this.playback.bodies[instance.body].parts.filter(({ kind }) => kind !== 'plane');
      return { body: instance.body, part: parts[own]?.name ?? '', distance: hit.distance };
    }
    return null;
  }
}
