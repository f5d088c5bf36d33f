// The scene without WebGL: a drawing from above on a plain canvas. It has the parts of Stage that the
// page uses; what needs depth (riding cameras, light, the tree's points) is left out.

import * as THREE from 'three';
import type { View } from './action';
import { hue } from './colors';
import { cssColor, hex } from './dom';
import type { Box } from './filters';
import { describeBody, frameAt, planAt, poseAt, type Mark, type Playback, type Shape, type World } from './playback';
import type { Frame, Hit } from './stage';
import type { State } from './store';

class FlatCameras {
  readonly center: THREE.Vector3;
  readonly radius: number;
  top = true;
  private shown: THREE.Box3;
  private scale = 1;
  private at: THREE.Vector2;
  private moved = true;

  constructor(private playback: Playback, element: HTMLElement) {
    this.shown = this.whole();
    this.center = this.shown.getCenter(new THREE.Vector3());
    this.radius = Math.max(this.shown.getSize(new THREE.Vector3()).length() / 2, 1e-3);
    this.at = new THREE.Vector2(this.center.x, this.center.y);
    element.addEventListener('wheel', (event) => this.zoom(event.deltaY < 0 ? 1.1 : 1 / 1.1), { passive: true });
  }

  private whole(): THREE.Box3 {
    return new THREE.Box3(new THREE.Vector3(...this.playback.low), new THREE.Vector3(...this.playback.high));
  }

  setView(view: View): void { this.shown = view.box; }
  setTop(): void { this.moved = true; }
  setMode(): void { this.moved = true; }
  enable(): void {}
  turn(x: number, y: number): void { this.shift(x, y); }
  shift(x: number, y: number): void {
    this.at.add(new THREE.Vector2(x, y).multiplyScalar(this.radius / this.scale));
    this.moved = true;
  }

  zoom(factor: number): void {
    this.scale *= factor;
    this.moved = true;
  }

  reset(): void {
    const middle = this.shown.getCenter(new THREE.Vector3());
    this.at.set(middle.x, middle.y);
    this.scale = 1;
    this.moved = true;
  }

  update(): boolean {
    const { moved } = this;
    this.moved = false;
    return moved;
  }

  // From metres to pixels of a rectangle, y up.
  map(rect: DOMRect): { x(v: number): number; y(v: number): number; scale: number } {
    const size = this.shown.getSize(new THREE.Vector3());
    const scale = this.scale * Math.min(rect.width / Math.max(size.x, 1e-3), rect.height / Math.max(size.y, 1e-3)) / 1.12;
    return {
      scale,
      x: (v) => rect.x + rect.width / 2 + (v - this.at.x) * scale,
      y: (v) => rect.y + rect.height / 2 - (v - this.at.y) * scale,
    };
  }
}

type Pen = ReturnType<FlatCameras['map']>;

const CIRCLE = Array.from({ length: 32 }, (_, i) => [Math.cos(i * Math.PI / 16), Math.sin(i * Math.PI / 16)]);

// A hull or capsule from above: what a string around its corners, or around the circles of its ends, would be.
function around({ kind, radius, half, points }: Shape, place: THREE.Matrix4): number[][] {
  const ends = [half[2] ?? 0, -(half[2] ?? 0)].map((z) => new THREE.Vector3(0, 0, z).applyMatrix4(place));
  const all = kind === 'hull' ? points.map(([x, y, z]) => new THREE.Vector3(x, y, z).applyMatrix4(place).toArray())
    : ends.flatMap(({ x, y }) => CIRCLE.map(([c, s]) => [x + radius * c, y + radius * s]));
  all.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const chain = (list: number[][]): number[][] => {
    const out: number[][] = [];
    for (const p of list) {
      for (let n = out.length; n >= 2; n = out.length) {
        const [[ax, ay], [bx, by]] = [out[n - 2], out[n - 1]];
        if ((bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax) > 0) break;
        out.pop();
      }
      out.push(p);
    }
    return out.slice(0, -1);
  };
  return [...chain(all), ...chain([...all].reverse())];
}

export class FlatStage {
  readonly cameras: FlatCameras;
  readonly tree = {
    shown: 0, grow: () => {}, ends: { shown: 0, list: [] as number[], filter: () => {}, show: () => {}, describe: () => '' },
  };
  readonly flat = true;
  private context: CanvasRenderingContext2D;
  private box: Box | null = null;
  private lit: number | null = null;
  private drawn = new Map<number, [number, number, number]>();

  constructor(private canvas: HTMLCanvasElement, element: HTMLElement, private playback: Playback) {
    this.cameras = new FlatCameras(playback, element);
    this.context = canvas.getContext('2d')!;
    this.resize();
  }

  // A drawing is quick enough.
  coarse(): void {}

  resize(): void {
    const ratio = Math.min(window.devicePixelRatio, 2);
    this.canvas.width = window.innerWidth * ratio;
    this.canvas.height = window.innerHeight * ratio;
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  theme(): void {}
  follow(): void {}
  showBox(box: Box | null): void { this.box = box; }

  renderWorlds(frames: Frame[], state: Readonly<State>): void {
    this.context.clearRect(0, 0, window.innerWidth, window.innerHeight);
    for (const frame of frames) this.drawWorld(frame, state);
  }

  renderTiles(frames: Frame[], state: Readonly<State>): void {
    this.renderWorlds(frames, state);
  }

  private drawWorld(frame: Frame, state: Readonly<State>): void {
    const { context, playback } = this;
    const { rect } = frame, world = playback.worlds[frame.world];
    const pen = this.cameras.map(rect);
    context.save();
    context.beginPath();
    context.rect(rect.x, rect.y, rect.width, rect.height);
    context.clip();
    playback.marks.forEach((mark) => this.drawMark(pen, mark));
    playback.regions.forEach((region, i) => this.drawRegion(pen, region, playback.goals.includes(i), state.places));
    if (state.paths) playback.moving.forEach((body, track) => this.drawPath(pen, world, track, hex(playback.bodies[body].color)));
    const at = frameAt(playback, world, state.seconds), pose = new Float64Array(7);
    if (state.ghosts && frame.world === 0) this.drawPlan(pen, at);
    playback.bodies.forEach((body, i) => {
      const place = body.track < 0 ? body.pose : poseAt(world, body.track, at, pose);
      this.drawn.set(i, [place[0], place[1], place[2]]);
      context.fillStyle = hex(body.color);
      context.strokeStyle = i === this.lit ? cssColor('--accent') : cssColor('--ink');
      context.lineWidth = i === this.lit ? 2.5 : 0.6;
      for (const part of body.parts) this.drawShape(pen, part, place);
    });
    if (this.box) {
      context.fillStyle = 'rgb(47 158 143 / 30%)';
      context.fillRect(pen.x(this.box.x0), pen.y(this.box.y1), (this.box.x1 - this.box.x0) * pen.scale, (this.box.y1 - this.box.y0) * pen.scale);
    }
    context.restore();
  }

  private outline(pen: Pen, points: ArrayLike<number>[], closed: boolean): void {
    const { context } = this;
    context.beginPath();
    points.forEach((p, i) => (i ? context.lineTo(pen.x(p[0]), pen.y(p[1])) : context.moveTo(pen.x(p[0]), pen.y(p[1]))));
    if (closed) context.closePath();
  }

  private drawMark(pen: Pen, mark: Mark): void {
    if (mark.kind === 'rope') return;
    const { context } = this;
    const [w, h] = [mark.size[0] / 2, mark.size[1] / 2], c = Math.cos(mark.heading), s = Math.sin(mark.heading);
    const corners = [[-w, -h], [w, -h], [w, h], [-w, h]]
      .map(([x, y]) => [mark.at[0] + c * x - s * y, mark.at[1] + s * x + c * y]);
    context.strokeStyle = context.fillStyle = hex(mark.color);
    context.lineWidth = Math.max(mark.width * pen.scale, 0.7);
    if (mark.kind === 'road') {
      const half = mark.points.length / 2;
      this.outline(pen, [...mark.points.slice(0, half), ...(mark.closed ? [mark.points[0]] : []),
        ...(mark.closed ? [mark.points[half]] : []), ...mark.points.slice(half).reverse()], true);
      context.fill('evenodd');
    } else if (mark.kind === 'line') {
      this.outline(pen, mark.points, mark.closed);
      context.stroke();
    } else if (mark.kind === 'circle' || mark.kind === 'disc' || mark.kind === 'post') {
      context.beginPath();
      context.arc(pen.x(mark.at[0]), pen.y(mark.at[1]), mark.size[0] * pen.scale, -mark.arc[0], -mark.arc[1], true);
      if (mark.kind === 'circle') context.stroke();
      else context.fill();
    } else {
      this.outline(pen, corners, true);
      if (mark.kind === 'box') context.stroke();
      else context.fill();
    }
  }

  private drawRegion(pen: Pen, region: Shape, goal: boolean, places: boolean): void {
    if (!goal && !places) return;
    const { context } = this;
    context.strokeStyle = goal ? '#2fbf71' : cssColor('--quiet');
    context.fillStyle = 'rgb(47 191 113 / 25%)';
    context.lineWidth = goal ? 2 : 0.7;
    this.trace(pen, region, [0, 0, 0, 0, 0, 0, 1]);
    if (goal) context.fill();
    context.stroke();
  }

  private drawPath(pen: Pen, { frames, motion: [x, y] }: Pick<World, 'frames' | 'motion'>, track: number, color: string): void {
    const start = track * frames;
    this.outline(pen, Array.from({ length: frames }, (_, f) => [x[start + f], y[start + f]]), false);
    this.context.strokeStyle = color;
    this.context.lineWidth = 1.6;
    this.context.stroke();
  }

  // The plan that a run follows: its paths, dashed.
  private drawPlan(pen: Pen, frame: number): void {
    const plan = this.playback.plans[planAt(this.playback, frame)];
    if (!plan) return;
    this.context.setLineDash([6, 4]);
    this.playback.moving.forEach((_, track) => this.drawPath(pen, plan, track, `hsl(${hue(plan.title)} 75% 45%)`));
    this.context.setLineDash([]);
  }

  // The outline of a shape as seen from above, in the frame of a body.
  private trace(pen: Pen, shape: Shape, pose: ArrayLike<number>): void {
    const place = new THREE.Matrix4().compose(new THREE.Vector3(pose[0], pose[1], pose[2]),
      new THREE.Quaternion(pose[3], pose[4], pose[5], pose[6]), new THREE.Vector3(1, 1, 1))
      .multiply(new THREE.Matrix4().compose(new THREE.Vector3(...shape.pose.slice(0, 3)),
        new THREE.Quaternion(...shape.pose.slice(3)), new THREE.Vector3(1, 1, 1)));
    if (shape.kind === 'hull' || shape.kind === 'capsule') {
      this.outline(pen, around(shape, place), true);
      return;
    }
    const [hx, hy] = shape.half;
    const points = shape.kind === 'prism' ? shape.points
      : shape.kind === 'box' ? [[-hx, -hy], [hx, -hy], [hx, hy], [-hx, hy]]
        : Array.from({ length: 32 }, (_, i) => [shape.radius * Math.cos(i * Math.PI / 16), shape.radius * Math.sin(i * Math.PI / 16)]);
    this.outline(pen, points.map(([x, y]) => new THREE.Vector3(x, y, 0).applyMatrix4(place).toArray()), true);
  }

  private drawShape(pen: Pen, shape: Shape, pose: ArrayLike<number>): void {
    if (shape.kind === 'plane') return;
    this.trace(pen, shape, pose);
    this.context.fill();
    this.context.stroke();
  }

  groundAt(frame: Frame, x: number, y: number): THREE.Vector3 {
    const pen = this.cameras.map(frame.rect);
    const zero = { x: pen.x(0), y: pen.y(0) };
    return new THREE.Vector3((x - zero.x) / pen.scale, (zero.y - y) / pen.scale, 0);
  }

  pick(frame: Frame, state: Readonly<State>, x: number, y: number): Hit | null {
    const at = this.groundAt(frame, x, y);
    let best = Infinity, body = -1;
    this.playback.moving.forEach((index) => {
      const place = this.drawn.get(index);
      const away = place ? Math.hypot(place[0] - at.x, place[1] - at.y) : Infinity;
      if (away < best) [best, body] = [away, index];
    });
    if (body < 0 || best > this.cameras.radius * 0.05) return null;
    return { text: this.describe(body, frame.world, state.seconds), body };
  }

  nameOf(body: number): string {
    return this.playback.bodies[body].name || `body ${body}`;
  }

  describe(body: number, world: number, seconds: number): string {
    return describeBody(this.playback, body, world, seconds);
  }

  highlight(body: number | null): boolean {
    if (body === this.lit) return false;
    this.lit = body;
    return true;
  }

  drawnAt(body: number): [number, number, number] | null {
    return this.drawn.get(body) ?? null;
  }

  get calls(): number {
    return 0;
  }
}
