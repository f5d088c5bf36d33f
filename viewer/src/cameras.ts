// The cameras: one that orbits, freely or along with a body, one that looks straight down, and one
// that rides behind a body. Where they are follows from the playback's time, never from the clock,
// so a film shows what the page shows.

import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { wholeView, type View } from './action';
import type { Playback } from './playback';

const FIELD = 32; // degrees, from top to bottom
const FROM = new THREE.Vector3(-0.42, -1, 0.78).normalize(); // where one first looks from
const TURNED = 1.3; // times the picture: what another side has to be worth
const STEEP = [0.58, 0.7, 0.8];
const NEAR_BODY = 10; // body radii away, when it is followed
const LOW = 0.5; // the sine of the angle at which it is looked down on, at most
const TURN = 0.25; // rad/s, going around

export type CameraMode = 'free' | 'follow' | 'ride' | 'eyes' | 'around';

// Something that is followed: where it is, where it heads, how large it is.
export interface Followed {
  at: THREE.Vector3;
  heading: THREE.Vector3;
  size: number;
}

// A view: what it looks at, and the share of the picture that the points are spread over.
interface Framed {
  target: THREE.Vector3;
  share: number;
}

export class Cameras {
  readonly orbit = new THREE.PerspectiveCamera(FIELD, 1, 0.01, 100);
  readonly above = new THREE.OrthographicCamera();
  readonly riding = new THREE.PerspectiveCamera(55, 1, 0.01, 100);
  readonly center: THREE.Vector3;
  readonly radius: number;
  private orbitControls: OrbitControls;
  private aboveControls: OrbitControls;
  private wide = 1; // the aspect for which FIELD holds
  private view: View; // what is to be seen
  private mode: CameraMode = 'free';
  private last: THREE.Vector3 | null = null; // where the followed body was
  private turned = 0; // angle already gone around
  private moved = false;
  top = false;

  constructor(playback: Playback, element: HTMLElement) {
    this.view = wholeView(playback);
    const { box } = this.view;
    this.center = box.getCenter(new THREE.Vector3());
    this.radius = Math.max(box.getSize(new THREE.Vector3()).length() / 2, 1e-3);
    this.orbit.up.set(0, 0, 1);
    this.riding.up.set(0, 0, 1);
    this.above.up.set(0, 1, 0);
    this.above.near = 0;
    this.above.far = this.radius * 20;
    this.orbitControls = new OrbitControls(this.orbit, element);
    this.aboveControls = new OrbitControls(this.above, element);
    for (const controls of [this.orbitControls, this.aboveControls]) {
      controls.enableDamping = true;
      controls.dampingFactor = 0.14;
      controls.zoomToCursor = true;
      // A wheel turned while the replay rests must be drawn at once.
      controls.addEventListener('change', () => { this.moved = true; });
    }
    this.orbitControls.maxPolarAngle = Math.PI * 0.495;
    this.orbitControls.minDistance = this.radius / 400;
    this.orbitControls.maxDistance = this.radius * 12;
    this.aboveControls.enableRotate = false;
    this.aboveControls.mouseButtons.LEFT = THREE.MOUSE.PAN;
    this.aboveControls.touches.ONE = THREE.TOUCH.PAN;
    this.aboveControls.minZoom = 0.2;
    this.aboveControls.maxZoom = 200;
    this.reset(element.clientWidth / Math.max(element.clientHeight, 1) || 1);
    this.setTop(false);
  }

  get camera(): THREE.PerspectiveCamera | THREE.OrthographicCamera {
    return this.top ? this.above : (this.mode === 'ride' || this.mode === 'eyes') && this.last ? this.riding : this.orbit;
  }

  private get controls(): OrbitControls {
    return this.top ? this.aboveControls : this.orbitControls;
  }

  setTop(top: boolean): void {
    this.top = top;
    this.enable(true);
  }

  setMode(mode: CameraMode): void {
    this.mode = mode;
    this.last = null;
    this.turned = 0;
    this.enable(true);
  }

  enable(enabled: boolean): void {
    this.orbitControls.enabled = enabled && !this.top && this.mode !== 'ride' && this.mode !== 'eyes';
    this.aboveControls.enabled = enabled && this.top;
  }

  // What the picture is to show from now on.
  setView(view: View): void {
    this.view = view;
  }

  // Where to look from: as always, unless the scene fills much more of the picture from another
  // side, as a long one does on a phone that is held upright. There one may look down more steeply.
  private side(camera: THREE.PerspectiveCamera): THREE.Vector3 {
    const { view: { points, box, start } } = this;
    const ahead = start?.clone().sub(box.getCenter(new THREE.Vector3()));
    let best = FROM, most = (camera.aspect < 1 ? 1.1 : TURNED) * this.frame(camera, FROM, points).share;
    for (const tilt of camera.aspect < 1 ? STEEP : [FROM.z]) {
      for (let i = 1; i <= 12; i++) {
        const angle = (i % 2 ? 1 : -1) * Math.ceil(i / 2) * Math.PI / 12;
        const towards = new THREE.Vector3(FROM.x, FROM.y, 0).applyAxisAngle(camera.up, angle).setLength(Math.sqrt(1 - tilt * tilt)).setZ(tilt);
        const behind = ahead !== undefined && ahead.x * towards.x + ahead.y * towards.y < 0;
        const share = this.frame(camera, towards, points).share * (behind ? 0.75 : 1);
        if (share > most * 1.001) [best, most] = [towards, share];
      }
    }
    return best;
  }

  // The nearest view along a direction that shows all points, with these in the middle of the
  // picture: perspective makes the near side larger, so the middle is not where the centre is.
  private frame(camera: THREE.PerspectiveCamera, towards: THREE.Vector3, points: THREE.Vector3[]): Framed {
    const target = this.view.box.getCenter(new THREE.Vector3());
    const right = new THREE.Vector3().crossVectors(camera.up, towards).normalize();
    const up = new THREE.Vector3().crossVectors(towards, right);
    const high = Math.tan(THREE.MathUtils.degToRad(camera.fov) / 2), wide = high * camera.aspect;
    const relative = () => points.map((point) => {
      const at = point.clone().sub(target);
      return [at.dot(right) / wide, at.dot(up) / high, at.dot(towards)];
    });
    const away = (list: number[][]) => list.reduce((most, [x, y, near]) => Math.max(most, near + Math.max(Math.abs(x), Math.abs(y))), 1e-6);
    let distance = 0, size = [0, 0];
    for (let round = 0; round < 8; round++) {
      const list = relative();
      distance = away(list);
      const seen = list.map(([x, y, near]) => [x, y].map((v) => v * distance / Math.max(distance - near, 1e-6)));
      const range = [0, 1].map((axis) => [seen.reduce((least, s) => Math.min(least, s[axis]), Infinity),
        seen.reduce((most, s) => Math.max(most, s[axis]), -Infinity)]);
      size = range.map(([low, top]) => (top - low) / (2 * distance));
      target.addScaledVector(right, (range[0][0] + range[0][1]) / 2 * wide).addScaledVector(up, (range[1][0] + range[1][1]) / 2 * high);
    }
    camera.position.copy(target).addScaledVector(towards, away(relative()) * 1.08);
    return { target, share: size[0] * size[1] };
  }

  // Give the cameras the sides of the rectangle they draw into.
  fit(aspect: number): void {
    this.orbit.aspect = this.riding.aspect = aspect;
    // A narrower rectangle sees as much from left to right, and more from top to bottom.
    const tangent = Math.tan(THREE.MathUtils.degToRad(FIELD) / 2) * Math.max(1, this.wide / aspect);
    this.orbit.fov = THREE.MathUtils.radToDeg(2 * Math.atan(tangent));
    // Depth is shared out between near and far: near follows what one is close to.
    const away = this.orbit.position.distanceTo(this.orbitControls.target);
    this.orbit.near = Math.max(away / 60, this.radius / 20000);
    this.orbit.far = away + this.radius * 10;
    this.orbit.updateProjectionMatrix();
    this.riding.updateProjectionMatrix();
    const { min, max } = this.view.box;
    const tall = 1.08 * Math.max(max.y - min.y, (max.x - min.x) / aspect, 1e-3) / 2;
    Object.assign(this.above, { left: -tall * aspect, right: tall * aspect, top: tall, bottom: -tall });
    this.above.updateProjectionMatrix();
  }

  // See everything, in a rectangle with these sides.
  reset(aspect: number): void {
    this.wide = aspect;
    this.last = null;
    this.fit(aspect);
    this.orbitControls.target.copy(this.frame(this.orbit, this.side(this.orbit), this.view.points).target);
    const middle = this.view.box.getCenter(new THREE.Vector3());
    this.aboveControls.target.copy(middle);
    this.above.position.set(middle.x, middle.y, middle.z + this.radius * 10);
    this.above.zoom = 1;
    this.above.updateProjectionMatrix();
    this.orbitControls.update();
    this.aboveControls.update();
  }

  // For the small pictures: the whole scene, whatever the user looks at.
  overview(aspect: number): THREE.PerspectiveCamera {
    const camera = new THREE.PerspectiveCamera(FIELD, aspect, this.radius / 100, this.radius * 30);
    camera.up.set(0, 0, 1);
    camera.lookAt(this.frame(camera, new THREE.Vector3(-0.25, -1, 1.1).normalize(), this.view.points).target);
    return camera;
  }

  // Go along with a body, to where it is at the playback's time.
  follow(body: Followed | null, seconds: number): void {
    if (this.mode === 'free' || !body) return;
    if (this.mode === 'around') this.goAround(seconds);
    else if (this.mode === 'ride') this.ride(body);
    else if (this.mode === 'eyes') this.look(body);
    else this.goAlong(body);
    if (this.mode !== 'around') this.last = (this.last ?? new THREE.Vector3()).copy(body.at);
  }

  private goAround(seconds: number): void {
    const angle = seconds * TURN - this.turned;
    this.turned = seconds * TURN;
    const { target } = this.orbitControls;
    const offset = this.orbit.position.clone().sub(target).applyAxisAngle(this.orbit.up, angle);
    this.orbit.position.copy(target).add(offset);
    this.orbit.lookAt(target);
  }

  private goAlong({ at, size }: Followed): void {
    for (const [camera, controls] of [[this.orbit, this.orbitControls], [this.above, this.aboveControls]] as const) {
      if (this.last) {
        camera.position.add(at).sub(this.last);
        controls.target.add(at).sub(this.last);
      } else if (camera === this.orbit) {
        const near = Math.min(NEAR_BODY * size, this.orbit.position.distanceTo(controls.target));
        const offset = camera.position.clone().sub(controls.target).normalize();
        if (offset.z > LOW) offset.setZ(0).setLength(Math.sqrt(1 - LOW * LOW)).setZ(LOW);
        offset.setLength(near);
        controls.target.copy(at);
        camera.position.copy(at).add(offset);
        camera.lookAt(at);
      } else {
        controls.target.set(at.x, at.y, this.center.z);
        camera.position.set(at.x, at.y, camera.position.z);
        const { min, max } = this.view.box;
        this.above.zoom = Math.max(1, Math.max(max.x - min.x, max.y - min.y) / (40 * size));
        this.above.updateProjectionMatrix();
      }
      camera.updateMatrixWorld();
    }
  }

  private ride({ at, heading, size }: Followed): void {
    const { riding } = this;
    riding.position.copy(at).addScaledVector(heading, -4.6 * size);
    riding.position.z += 2 * size;
    riding.lookAt(at.x + heading.x * 4 * size, at.y + heading.y * 4 * size, at.z + 0.4 * size);
    riding.near = size / 4;
    riding.far = size * 20 + this.radius * 4;
  }

  // What the body itself would see, from just above it.
  private look({ at, heading, size }: Followed): void {
    const { riding } = this;
    riding.position.copy(at).addScaledVector(heading, 0.55 * size);
    riding.position.z += 1.05 * size;
    riding.lookAt(at.x + heading.x * 9 * size, at.y + heading.y * 9 * size, at.z);
    riding.near = size / 6;
    riding.far = size * 20 + this.radius * 4;
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
    const camera = this.top ? this.above : this.orbit;
    const axis = (column: number) => new THREE.Vector3().setFromMatrixColumn(camera.matrix, column);
    const forward = this.top ? axis(1) : new THREE.Vector3().crossVectors(camera.up, axis(0)).normalize();
    const away = this.orbit.position.distanceTo(this.orbitControls.target);
    const reach = this.top ? this.radius / this.above.zoom : away * 0.4;
    const move = axis(0).multiplyScalar(right * reach).addScaledVector(forward, up * reach);
    camera.position.add(move);
    this.controls.target.add(move);
    this.controls.update();
  }

  zoom(factor: number): void {
    if (this.top) {
      this.above.zoom = THREE.MathUtils.clamp(this.above.zoom * factor, 0.2, 200);
      this.above.updateProjectionMatrix();
    } else {
      const offset = this.orbit.position.clone().sub(this.orbitControls.target);
      this.orbit.position.copy(this.orbitControls.target).addScaledVector(offset, 1 / factor);
    }
    this.controls.update();
  }

  // True if the view has moved since it was last asked, or still does.
  update(): boolean {
    const moving = this.controls.update() || this.moved;
    this.moved = false;
    return moving;
  }
}
