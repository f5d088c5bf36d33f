// Ropes: a thin cylinder between two places, each on a body or in the world.

import * as THREE from 'three';
import { finishMaterial } from './finishes';
import type { Mark } from './playback';

const UP = new THREE.Vector3(0, 0, 1);
const STRETCH = 1.05; // one whose ends are farther apart is broken

export class Ropes {
  readonly group = new THREE.Group();
  private ropes: { mark: Mark; mesh: THREE.Mesh }[];
  private ends = [new THREE.Vector3(), new THREE.Vector3()];
  private turn = new THREE.Quaternion();

  constructor(marks: Mark[]) {
    this.ropes = marks.filter(({ kind }) => kind === 'rope').map((mark) => {
      const geometry = new THREE.CylinderGeometry(mark.width / 2, mark.width / 2, 1, 12).rotateX(Math.PI / 2);
      const mesh = new THREE.Mesh(geometry, finishMaterial(mark.finish, { color: mark.color }));
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.frustumCulled = false;
      this.group.add(mesh);
      return { mark, mesh };
    });
  }

  // poses: seven numbers a body.
  place(poses: Float64Array): void {
    const { ends: [a, b] } = this;
    for (const { mark, mesh } of this.ropes) {
      this.end(a, poses, mark.body, mark.points[0]);
      this.end(b, poses, mark.other!, mark.points[1]);
      const length = a.distanceTo(b);
      mesh.visible = length > 0 && length < mark.size[0] * STRETCH;
      mesh.position.addVectors(a, b).multiplyScalar(0.5);
      mesh.scale.set(1, 1, length);
      if (mesh.visible) mesh.quaternion.setFromUnitVectors(UP, b.sub(a).divideScalar(length));
    }
  }

  // From where to where the ropes are drawn: read back from the meshes.
  get drawn(): [number, number, number][][] {
    return this.ropes.filter(({ mesh }) => mesh.visible).map(({ mesh }) => [-0.5, 0.5].map((z) => {
      mesh.updateMatrix();
      return new THREE.Vector3(0, 0, z).applyMatrix4(mesh.matrix).toArray() as [number, number, number];
    }));
  }

  private end(out: THREE.Vector3, poses: Float64Array, body: number, at: [number, number, number]): void {
    out.set(...at);
    if (body < 0) return;
    const k = 7 * body;
    out.applyQuaternion(this.turn.set(poses[k + 3], poses[k + 4], poses[k + 5], poses[k + 6]));
    out.x += poses[k];
    out.y += poses[k + 1];
    out.z += poses[k + 2];
  }
}
