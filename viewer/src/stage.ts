// The scene in 3-D. One canvas lies behind the whole page; what is drawn where is a list of
// rectangles: one world, two side by side, or the small worlds of the gallery.

import * as THREE from 'three';
import { Bodies } from './bodies';
import { Cameras } from './cameras';
import { cssColor } from './dom';
import type { Box } from './filters';
import { Ghosts } from './ghosts';
import { SHARPNESS } from './finishes';
import { AMBIENT, isSoftware, makeSurround, quickShadows } from './light';
import { describeBody, frameAt, type Playback } from './playback';
import { Pulses } from './pulses';
import { Scenery } from './scenery';
import { Skids } from './skids';
import type { State } from './store';
import { Trail } from './trails';
import type { Followed } from './cameras';
import { TreeView } from './treeview';

export interface Hit {
  text: string;
  body: number | null;
  seconds?: number; // of the point of a path
  end?: number; // of a branch of the search
}

export interface Frame {
  world: number;
  rect: DOMRect;
}

// Trails of more worlds than this are made again when they are needed.
const CACHE = 64;

const TO_SUN = new THREE.Vector3(-0.9, -0.15, 1).normalize(); // from the side: shadows are seen

export class Stage {
  readonly flat = false;
  readonly renderer: THREE.WebGLRenderer;
  readonly cameras: Cameras;
  readonly tree: TreeView;
  private scene = new THREE.Scene();
  private bodies: Bodies;
  private scenery: Scenery;
  private sun = new THREE.DirectionalLight(0xfffaf3, 2);
  private trails = new Map<string, Trail>();
  private pulses = new Map<number, Pulses>();
  private skids = new Map<number, Skids>();
  readonly ghosts: Ghosts | null; // of a run
  private box: THREE.Mesh;
  private dark = false;
  private lit = 0; // how far the sun's shadows reach
  private every: number[]; // all tracks
  private share = 1; // of the window's pixels, along each side, that are drawn

  // plain: without shadows, reflections and smooth edges.
  constructor(canvas: HTMLCanvasElement, element: HTMLElement, private playback: Playback, plain: boolean) {
    quickShadows();
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !plain });
    if (isSoftware(this.renderer.getContext())) SHARPNESS.value = 1;
    this.renderer.shadowMap.enabled = !plain;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.renderer.toneMapping = THREE.NeutralToneMapping;
    if (!plain) this.scene.environment = makeSurround(this.renderer);
    this.scene.environmentRotation.set(Math.PI / 2, 0, 0);
    this.renderer.info.autoReset = false;
    this.every = [...playback.moving.keys()];
    this.cameras = new Cameras(playback, element);
    const { center, radius } = this.cameras;
    this.bodies = new Bodies(playback);
    this.scenery = new Scenery(playback, center, radius);
    this.tree = new TreeView(playback);
    this.ghosts = playback.plans.length > 0 ? new Ghosts(playback) : null;
    if (this.ghosts) this.scene.add(this.ghosts.group);
    this.box = this.makeBox();
    this.scene.add(this.bodies.group, this.scenery.group, this.tree.group, this.box);
    this.addSun(center, radius);
    this.resize();
  }

  private addSun(center: THREE.Vector3, radius: number): void {
    const { sun } = this;
    sun.castShadow = true;
    sun.shadow.bias = -1e-4;
    sun.shadow.radius = 2.5;
    sun.shadow.intensity = 0.85;
    this.scene.add(sun, sun.target);
    this.light(center, radius * 1.05);
  }

  // The sun's shadows are as sharp as the part of the scene is small that they are cast on.
  private light(center: THREE.Vector3, reach: number): void {
    const { sun } = this;
    if (sun.target.position.equals(center) && this.lit === reach) return;
    this.lit = reach;
    sun.position.copy(center).addScaledVector(TO_SUN, reach * 3);
    sun.target.position.copy(center);
    sun.target.updateMatrixWorld();
    sun.shadow.normalBias = reach * 4e-4;
    Object.assign(sun.shadow.camera, {
      left: -reach, right: reach, top: reach, bottom: -reach, near: reach * 0.3, far: reach * 7,
    });
    sun.shadow.camera.updateProjectionMatrix();
  }

  // Go along with a body, or with none.
  follow(body: Followed | null, seconds: number, near: boolean): void {
    this.cameras.follow(body, seconds);
    const { center, radius } = this.cameras;
    if (body && near) this.light(body.at, Math.min(26 * body.size, radius));
    else this.light(center, radius * 1.05);
  }

  private makeBox(): THREE.Mesh {
    const material = new THREE.MeshBasicMaterial({
      color: 0x2f9e8f, transparent: true, opacity: 0.3, depthTest: false, depthWrite: false,
    });
    const mesh = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), material);
    mesh.renderOrder = 4;
    mesh.visible = false;
    return mesh;
  }

  resize(): void {
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2) * this.share);
    this.renderer.setSize(window.innerWidth, window.innerHeight, false);
    const { shadow } = this.sun;
    const side = Math.max(window.innerWidth, window.innerHeight) * this.renderer.getPixelRatio() > 900 ? 2048 : 1024;
    if (shadow.mapSize.x === side) return;
    // A small picture cannot show finer shadows.
    shadow.mapSize.set(side, side);
    shadow.map?.dispose();
    shadow.map = null;
  }

  // Draw half the pixels along each side, or all: what a machine without a graphics card can do.
  coarse(coarse: boolean): void {
    const share = coarse ? 0.5 : 1;
    if (share === this.share) return;
    this.share = share;
    this.resize();
  }

  theme(dark: boolean): void {
    this.dark = dark;
    this.renderer.setClearColor(cssColor('--paper'));
    this.scenery.theme(dark);
    this.scene.environmentIntensity = AMBIENT.value = dark ? 0.22 : 0.34;
    this.sun.intensity = dark ? 1.8 : 2.05;
  }

  // ----------------------------------------------------------------------------------------
  // Drawing.

  private trail(world: number, tracks: number[], tint: State['tint']): Trail {
    const key = `${world}:${tracks.length === 1 ? tracks[0] : 'all'}:${tint}`;
    let trail = this.trails.get(key);
    if (!trail) {
      if (this.trails.size >= CACHE) {
        for (const old of this.trails.values()) old.dispose();
        this.trails.clear();
      }
      trail = new Trail(this.playback, this.playback.worlds[world], tracks, tint);
      this.trails.set(key, trail);
    }
    return trail;
  }

  private pulse(world: number): Pulses {
    let pulse = this.pulses.get(world);
    if (!pulse) {
      pulse = new Pulses(this.playback, this.playback.worlds[world]);
      this.pulses.set(world, pulse);
    }
    return pulse;
  }

  private skid(world: number): Skids {
    let skid = this.skids.get(world);
    if (!skid) {
      skid = new Skids(this.playback, this.playback.worlds[world]);
      this.skids.set(world, skid);
    }
    return skid;
  }

  private trackList(state: Readonly<State>): number[] {
    if (state.paths) return this.every;
    const track = state.body === null ? -1 : this.playback.bodies[state.body].track;
    return track >= 0 ? [track] : [];
  }

  // Put one world's things into the scene, draw, and take them out again.
  private draw(frame: Frame, state: Readonly<State>, camera: THREE.Camera, ghosts: number[]): void {
    const world = this.playback.worlds[frame.world];
    const at = frameAt(this.playback, world, state.seconds);
    this.bodies.show(world, at);
    this.scenery.showPlaces(state.places);
    const tracks = this.trackList(state);
    const own = tracks.length > 0
      ? [frame.world, ...ghosts].map((index) => this.trail(index, tracks, state.tint)) : [];
    own.forEach((trail) => trail.show(at));
    this.ghosts?.show(world, at, state.ghosts && frame.world === 0);
    const pulse = this.pulse(frame.world);
    const size = Math.min(1, frame.rect.height / 600);
    pulse.show(at * this.playback.frameSeconds, this.renderer.getPixelRatio() * size, this.dark);
    const skid = this.skid(frame.world);
    skid.show(at);
    const added = [...own.map(({ group }) => group), pulse.object, skid.group];
    this.scene.add(...added);
    const { x, y, width, height } = frame.rect;
    const bottom = window.innerHeight - y - height;
    this.renderer.setViewport(x, bottom, width, height);
    this.renderer.setScissor(x, bottom, width, height);
    this.renderer.render(this.scene, camera);
    this.scene.remove(...added);
  }

  private begin(): void {
    this.renderer.info.reset();
    this.renderer.setScissorTest(false);
    this.renderer.clear();
    this.renderer.setScissorTest(true);
  }

  renderWorlds(frames: Frame[], state: Readonly<State>, ghosts: number[] = []): void {
    this.begin();
    this.tree.group.visible = state.tree;
    for (const frame of frames) {
      this.cameras.fit(frame.rect.width / frame.rect.height);
      this.draw(frame, state, this.cameras.camera, ghosts);
    }
  }

  renderTiles(frames: Frame[], state: Readonly<State>): void {
    this.begin();
    this.tree.group.visible = false;
    const small = this.playback.tracks * (this.playback.worlds[0]?.frames ?? 0) < 20000;
    for (const frame of frames) {
      const camera = this.cameras.overview(frame.rect.width / frame.rect.height);
      this.draw(frame, { ...state, paths: small, body: null }, camera, []);
    }
  }

  showBox(box: Box | null): void {
    this.box.visible = box !== null;
    if (!box) return;
    this.box.position.set((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2, this.playback.high[2]);
    this.box.scale.set(Math.max(box.x1 - box.x0, 1e-6), Math.max(box.y1 - box.y0, 1e-6), 1);
  }

  // ----------------------------------------------------------------------------------------
  // Pointing.

  private pointer(frame: Frame, x: number, y: number): THREE.Vector2 {
    const { rect } = frame;
    return new THREE.Vector2(
      ((x - rect.x) / rect.width) * 2 - 1, 1 - ((y - rect.y) / rect.height) * 2);
  }

  // The place on the ground below a point of the top view.
  groundAt(frame: Frame, x: number, y: number): THREE.Vector3 {
    const at = this.pointer(frame, x, y);
    this.cameras.fit(frame.rect.width / frame.rect.height);
    return new THREE.Vector3(at.x, at.y, 0).unproject(this.cameras.above);
  }

  private pathAt(frame: Frame, state: Readonly<State>, x: number, y: number): Hit | null {
    const world = this.playback.worlds[frame.world];
    const tracks = this.trackList(state);
    if (tracks.length * world.frames > 40000) return null;
    const point = new THREE.Vector3();
    let best = 7 * 7, hit: Hit | null = null;
    for (const track of tracks) {
      const body = this.playback.moving[track];
      for (let f = 0; f < world.frames; f++) {
        const i = track * world.frames + f;
        point.set(world.motion[0][i], world.motion[1][i], world.motion[2][i]).project(this.cameras.camera);
        const dx = frame.rect.x + ((point.x + 1) / 2) * frame.rect.width - x;
        const dy = frame.rect.y + ((1 - point.y) / 2) * frame.rect.height - y;
        if (dx * dx + dy * dy < best) {
          best = dx * dx + dy * dy;
          const seconds = f * this.playback.frameSeconds;
          hit = { text: `path of ${this.nameOf(body)} at ${seconds.toFixed(2)} s`, body, seconds };
        }
      }
    }
    return hit;
  }

  nameOf(body: number): string {
    return this.playback.bodies[body].name || `body ${body}`;
  }

  describe(body: number, world: number, seconds: number): string {
    return describeBody(this.playback, body, world, seconds);
  }

  get calls(): number {
    return this.renderer.info.render.calls;
  }

  pick(frame: Frame, state: Readonly<State>, x: number, y: number): Hit | null {
    this.cameras.fit(frame.rect.width / frame.rect.height);
    const world = this.playback.worlds[frame.world];
    this.bodies.show(world, frameAt(this.playback, world, state.seconds));
    const raycaster = new THREE.Raycaster();
    raycaster.setFromCamera(this.pointer(frame, x, y), this.cameras.camera);
    const reach = this.cameras.radius * 0.008;
    const end = state.tree ? this.tree.ends.pick(raycaster, 2 * reach) : null;
    if (end !== null) return { text: this.tree.ends.describe(end), body: this.playback.tree.ends.body[end], end };
    const solid = this.bodies.pick(raycaster);
    const node = state.tree ? this.tree.pick(raycaster, reach) : null;
    if (solid && !(node && node.distance < solid.distance)) {
      const part = solid.part ? ` (${solid.part})` : '';
      return { text: this.describe(solid.body, frame.world, state.seconds) + part, body: solid.body };
    }
    if (node) return { text: `tree: ${this.nameOf(node.body)}, branch ${node.order}`, body: node.body };
    return this.pathAt(frame, state, x, y) ?? this.pickPlace(raycaster);
  }

  private pickPlace(raycaster: THREE.Raycaster): Hit | null {
    for (const { name, mesh } of this.scenery.regions) {
      if (raycaster.intersectObject(mesh).length > 0) return { text: `region ${name}`, body: null };
    }
    for (const { body, mesh } of this.scenery.planes) {
      if (raycaster.intersectObject(mesh).length > 0) return { text: this.nameOf(body), body: null };
    }
    return null;
  }

  highlight(body: number | null): boolean {
    return this.bodies.highlight(body);
  }

  drawnAt(body: number): [number, number, number] | null {
    return this.bodies.drawnAt(body);
  }
}
