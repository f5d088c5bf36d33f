// Two cameras, one that orbits and one that looks straight down, each with its own controls.

import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { Playback } from './playback';

const FIELD = 32; // degrees, from top to bottom

function corners({ low, high }: Playback): THREE.Vector3[] {
  return Array.from({ length: 8 }, (_, i) => new THREE.Vector3(
    i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]));
}

export class Cameras {
  readonly orbit = new THREE.PerspectiveCamera(FIELD, 1, 0.01, 100);
  readonly above = new THREE.OrthographicCamera();
  readonly center: THREE.Vector3;
  readonly radius: number;
  private orbitControls: OrbitControls;
  private aboveControls: OrbitControls;
  private wide = 1; // the aspect for which FIELD holds
  top = false;

  constructor(private playback: Playback, element: HTMLElement) {
    const box = new THREE.Box3(
      new THREE.Vector3(...playback.low), new THREE.Vector3(...playback.high));
    this.center = box.getCenter(new THREE.Vector3());
    this.radius = Math.max(box.getSize(new THREE.Vector3()).length() / 2, 1e-3);
    this.orbit.up.set(0, 0, 1);
    this.orbit.near = this.radius / 200;
    this.orbit.far = this.radius * 60;
    this.above.up.set(0, 1, 0);
    this.above.near = 0;
    this.above.far = this.radius * 20;
    this.orbitControls = new OrbitControls(this.orbit, element);
    this.aboveControls = new OrbitControls(this.above, element);
    for (const controls of [this.orbitControls, this.aboveControls]) {
      controls.enableDamping = true;
      controls.dampingFactor = 0.14;
      controls.zoomToCursor = true;
    }
    this.orbitControls.maxPolarAngle = Math.PI * 0.495;
    this.orbitControls.minDistance = this.radius / 50;
    this.orbitControls.maxDistance = this.radius * 12;
    this.aboveControls.enableRotate = false;
    this.aboveControls.mouseButtons.LEFT = THREE.MOUSE.PAN;
    this.aboveControls.touches.ONE = THREE.TOUCH.PAN;
    this.aboveControls.minZoom = 0.2;
    this.aboveControls.maxZoom = 60;
    this.reset(element.clientWidth / Math.max(element.clientHeight, 1) || 1);
    this.setTop(false);
  }

  get camera(): THREE.PerspectiveCamera | THREE.OrthographicCamera {
    return this.top ? this.above : this.orbit;
  }

  private get controls(): OrbitControls {
    return this.top ? this.aboveControls : this.orbitControls;
  }

  setTop(top: boolean): void {
    this.top = top;
    this.enable(true);
  }

  enable(enabled: boolean): void {
    this.orbitControls.enabled = enabled && !this.top;
    this.aboveControls.enabled = enabled && this.top;
  }

  // The nearest place from which every corner of the scene is seen.
  private fitted(camera: THREE.PerspectiveCamera, towards: THREE.Vector3): THREE.Vector3 {
    const right = new THREE.Vector3().crossVectors(camera.up, towards).normalize();
    const up = new THREE.Vector3().crossVectors(towards, right);
    const high = Math.tan(THREE.MathUtils.degToRad(camera.fov) / 2), wide = high * camera.aspect;
    let distance = 0;
    for (const corner of corners(this.playback)) {
      corner.sub(this.center);
      const depth = corner.dot(towards);
      distance = Math.max(distance, Math.abs(corner.dot(right)) / wide + depth,
        Math.abs(corner.dot(up)) / high + depth);
    }
    return this.center.clone().addScaledVector(towards, distance * 1.08);
  }

  // Give the cameras the sides of the rectangle they draw into.
  fit(aspect: number): void {
    this.orbit.aspect = aspect;
    // A narrower rectangle sees as much from left to right, and more from top to bottom.
    const tangent = Math.tan(THREE.MathUtils.degToRad(FIELD) / 2) * Math.max(1, this.wide / aspect);
    this.orbit.fov = THREE.MathUtils.radToDeg(2 * Math.atan(tangent));
    this.orbit.updateProjectionMatrix();
    const { low, high } = this.playback;
    const tall = 1.12 * Math.max(high[1] - low[1], (high[0] - low[0]) / aspect, 1e-3) / 2;
    Object.assign(this.above, { left: -tall * aspect, right: tall * aspect, top: tall, bottom: -tall });
    this.above.updateProjectionMatrix();
  }

  // See everything, in a rectangle with these sides.
  reset(aspect: number): void {
    this.wide = aspect;
    this.fit(aspect);
    const towards = new THREE.Vector3(-0.42, -1, 0.78).normalize();
    this.orbitControls.target.copy(this.center);
    this.orbit.position.copy(this.fitted(this.orbit, towards));
    this.aboveControls.target.copy(this.center);
    this.above.position.set(this.center.x, this.center.y, this.center.z + this.radius * 10);
    this.above.zoom = 1;
    this.above.updateProjectionMatrix();
    this.orbitControls.update();
    this.aboveControls.update();
  }

  // For the small pictures: the whole scene, whatever the user looks at.
  overview(aspect: number): THREE.PerspectiveCamera {
    const camera = new THREE.PerspectiveCamera(FIELD, aspect, this.orbit.near, this.orbit.far);
    camera.up.set(0, 0, 1);
    camera.position.copy(this.fitted(camera, new THREE.Vector3(-0.25, -1, 1.1).normalize()));
    camera.lookAt(this.center);
    return camera;
  }

  // Steps by keyboard; angles in radians, shifts and zoom as shares.
  turn(around: number, up: number): void {
    if (this.top) {
      this.shift(around, up);
      return;
    }
    const offset = this.orbit.position.clone().sub(this.orbitControls.target);
    const length = offset.length();
    const heading = Math.atan2(offset.y, offset.x) + around;
    const tilt = THREE.MathUtils.clamp(Math.asin(offset.z / length) + up, 0.03, Math.PI / 2 - 0.01);
    offset.set(Math.cos(heading) * Math.cos(tilt), Math.sin(heading) * Math.cos(tilt), Math.sin(tilt));
    this.orbit.position.copy(this.orbitControls.target).addScaledVector(offset, length);
    this.orbitControls.update();
  }

  shift(right: number, up: number): void {
    const camera = this.camera;
    const axis = (column: number) => new THREE.Vector3().setFromMatrixColumn(camera.matrix, column);
    const forward = this.top ? axis(1) : new THREE.Vector3().crossVectors(camera.up, axis(0)).normalize();
    const reach = this.radius / (this.top ? this.above.zoom : 1);
    const move = axis(0).multiplyScalar(right * reach).addScaledVector(forward, up * reach);
    camera.position.add(move);
    this.controls.target.add(move);
    this.controls.update();
  }

  zoom(factor: number): void {
    if (this.top) {
      this.above.zoom = THREE.MathUtils.clamp(this.above.zoom * factor, 0.2, 60);
      this.above.updateProjectionMatrix();
    } else {
      const offset = this.orbit.position.clone().sub(this.orbitControls.target);
      this.orbit.position.copy(this.orbitControls.target).addScaledVector(offset, 1 / factor);
    }
    this.controls.update();
  }

  // True while the view still moves.
  update(): boolean {
    return this.controls.update();
  }
}
