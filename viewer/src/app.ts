// The page as a whole: what can be done with it, its clock, and who redraws when something changes.

import { actionView, followed, leadBody, wholeView } from './action';
import { bindings } from './bindings';
import type { CameraMode } from './cameras';
import { Draw } from './draw';
import { byId } from './dom';
import { Film } from './film';
import { FlatStage } from './flat';
import { Gallery } from './gallery';
import { Graphs } from './graphs';
import { fillHelp, listenKeys } from './keys';
import { duration, frameAt, type Playback } from './playback';
import { Pointing } from './pointing';
import { savePage } from './save';
import { Slow } from './slow';
import { Stage, type Frame } from './stage';
import { Store, type Change, type Panel, type State } from './store';
import { Surround } from './surround';
import { Tables } from './tables';
import { Tactics } from './tactics';
import { Timeline } from './timeline';
import { tintsOf, type Tint } from './trails';
import { SPEEDS, Transport } from './transport';

const GROW_SECONDS = 6;
const REST_SECONDS = 0.8; // at the end, before it starts again
const SLOW_FRAME = 0.12; // s

// Up to this many moving bodies, all paths are shown at once.
const PATHS_AT_ONCE = 40;

const PANELS: Panel[] = ['timeline', 'graphs', 'tactics', 'tables'];
export const CAMERAS: CameraMode[] = ['free', 'follow', 'ride', 'eyes', 'around'];

// One of the words, as the address asks for it, or the first.
function oneOf<T extends string>(asked: string | null, words: readonly T[], otherwise: T): T {
  return words.find((word) => word === asked) ?? otherwise;
}

function hasWebGL(): boolean {
  if (new URLSearchParams(location.hash.slice(1)).has('flat')) return false;
  return document.createElement('canvas').getContext('webgl2') !== null;
}

function firstState(playback: Playback): State {
  const asked = new URLSearchParams(location.hash.slice(1));
  const number = (name: string, most: number) =>
    Math.min(Math.max(Number(asked.get(name)) || 0, 0), most);
  const still = asked.has('t') || matchMedia('(prefers-reduced-motion: reduce)').matches;
  const theme = asked.get('theme')
    ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  const road = playback.marks.some(({ kind }) => kind === 'road');
  const world = Math.max(number('world', playback.worlds.length) - 1, 0);
  return {
    world, other: asked.has('beside') ? Math.max(number('beside', playback.worlds.length) - 1, 0) : null,
    seconds: number('t', duration(playback, playback.worlds[world])), playing: !still, speed: 1,
    loop: true, mode: asked.has('gallery') ? 'gallery' : 'stage', top: asked.has('top'),
    paths: playback.tracks <= PATHS_AT_ONCE, ghosts: true, tree: asked.has('tree'), growth: 1, growing: false,
    muted: new Set(), end: null,
    panel: PANELS.find((panel) => asked.has(panel))
      ?? (asked.has('bare') || window.innerHeight < 560 ? 'none' : 'timeline'),
    // A car is small on its track: go along with it, and show where it was fast.
    camera: oneOf(asked.get('camera'), CAMERAS, road ? 'follow' : 'free'),
    tint: oneOf(asked.get('tint'), tintsOf(playback, playback.worlds[world]), road ? 'speed' : 'body'),
    slow: asked.has('slow'), places: asked.has('places'),
    axis: oneOf(asked.get('axis'), ['time', 'distance'], 'time'),
    theme: theme === 'dark' ? 'dark' : 'light',
    body: null, kept: new Set(), rules: [], sort: 'score',
  };
}

export class App {
  readonly store: Store;
  readonly stage: Stage | FlatStage;
  readonly gallery: Gallery;
  readonly timeline: Timeline;
  readonly graphs: Graphs;
  readonly tactics: Tactics;
  private tables: Tables;
  private slow: Slow;
  readonly film: Film;
  private transport: Transport;
  readonly draw: Draw;
  private surround: Surround;
  private pointing: Pointing;
  private dirty = true;
  private rect: DOMRect | null = null; // of the scene; null: to be asked for
  private plain = new URLSearchParams(location.hash.slice(1)).has('plain');
  private pace = 0; // s between drawn frames, a mean over the last ones
  private last = 0;
  private rested = 0;
  private filmed = false;
  private fitted = 0; // worlds beside each other when the view was last fitted

  constructor(readonly playback: Playback, private source: string) {
    this.store = new Store(firstState(playback));
    const canvas = byId<HTMLCanvasElement>('view');
    this.stage = hasWebGL() ? new Stage(canvas, byId('stage'), playback, this.plain)
      : new FlatStage(canvas, byId('stage'), playback);
    document.body.toggleAttribute('data-flat', this.stage.flat);
    document.body.toggleAttribute('data-bare', new URLSearchParams(location.hash.slice(1)).has('bare'));
    this.slow = new Slow(playback);
    this.film = new Film(this, this.slow);
    this.gallery = new Gallery(playback, this.store, {
      open: (world) => this.store.set({ world, mode: 'stage', other: null }),
      beside: (other) => this.store.set({ other, mode: 'stage' }),
      keep: (world) => this.keep(world),
      drawBox: (who, kind) => this.draw.start(who, kind),
      save: () => void this.save(),
    });
    this.draw = new Draw(this.store, this.stage, this.gallery, () => this.frames()[0],
      () => this.invalidate());
    const seek = (seconds: number) => this.seek(seconds);
    this.timeline = new Timeline(playback, this.store, seek);
    this.graphs = new Graphs(playback, this.store, seek);
    this.tactics = new Tactics(playback, this.store);
    this.tables = new Tables(playback, seek);
    this.transport = new Transport(this.store, {
      toggle: () => this.toggle(), step: (n) => this.step(n), seek,
      faster: (n) => this.faster(n), panel: (panel) => this.panel(panel),
      duration: () => this.duration(), frameSeconds: playback.frameSeconds,
      panels: PANELS.filter((panel) => panel !== 'tactics' || playback.tactics.length > 0),
    });
    this.surround = new Surround(this);
    this.pointing = new Pointing(this);
    const keys = bindings(this);
    fillHelp(keys);
    listenKeys(keys);
    this.listen();
    this.store.listen((_, change) => this.changed(change));
    this.changed(this.store.state);
    // For tests and for the curious: what is drawn, read back.
    Object.assign(window, { carom: this });
    requestAnimationFrame((now) => this.tick(now));
  }

  // ----------------------------------------------------------------------------------------
  // Time.

  private get worlds(): number[] {
    const { mode, world, other } = this.store.state;
    if (mode === 'gallery') return this.gallery.chosen;
    return other === null ? [world] : [world, other];
  }

  duration(): number {
    return Math.max(0, ...this.worlds.map((w) => duration(this.playback, this.playback.worlds[w])));
  }

  seek(seconds: number): void {
    this.store.set({ seconds: Math.min(Math.max(seconds, 0), this.duration()), playing: false });
  }

  step(frames: number): void {
    const { frameSeconds } = this.playback;
    this.seek((Math.round(this.store.state.seconds / frameSeconds) + frames) * frameSeconds);
  }

  toggle(): void {
    const { playing, seconds } = this.store.state;
    const ended = seconds >= this.duration() - 1e-9;
    this.store.set({ playing: !playing, seconds: !playing && ended ? 0 : seconds });
  }

  faster(steps: number): void {
    const at = SPEEDS.indexOf(this.store.state.speed) + steps;
    this.store.set({ speed: SPEEDS[(at + SPEEDS.length) % SPEEDS.length] });
  }

  // To the next or last moment at which a contact or a Skill begins.
  jump(direction: 1 | -1): void {
    const { frameSeconds, worlds } = this.playback;
    const world = worlds[this.store.state.world];
    const now = Math.round(this.store.state.seconds / frameSeconds);
    const moments = [...world.meetings.map(({ from }) => from), ...world.spans.map(({ from }) => from)]
      .sort((a, b) => (a - b) * direction);
    const next = moments.find((frame) => (frame - now) * direction > 0);
    if (next !== undefined) this.seek(next * frameSeconds);
  }

  private advance(elapsed: number): void {
    const { playing, seconds, speed, loop, growing, growth } = this.store.state;
    if (growing) {
      const next = growth + elapsed / GROW_SECONDS;
      this.store.set({ growth: Math.min(next, 1), growing: next < 1 });
    }
    if (!playing) return;
    const { slow, world } = this.store.state;
    const factor = slow ? this.slow.factor(this.playback.worlds[world], seconds) : 1;
    const end = this.duration(), next = seconds + elapsed * speed * factor;
    if (next < end) {
      this.store.set({ seconds: next });
      return;
    }
    this.rested += elapsed;
    if (!loop) this.store.set({ seconds: end, playing: false });
    else if (this.rested < REST_SECONDS) this.store.set({ seconds: end });
    else this.store.set({ seconds: 0 });
    if (this.store.state.seconds === 0 || !loop) this.rested = 0;
  }

  private tick(now: number): void {
    if (this.filmed) return;
    const elapsed = Math.min((now - this.last) / 1000, 0.1);
    this.keepPace((now - this.last) / 1000);
    this.last = now;
    this.advance(elapsed);
    if (this.store.state.mode !== 'gallery' && this.stage.cameras.update()) this.dirty = true;
    if (this.dirty) this.render();
    this.dirty = false;
    requestAnimationFrame((next) => this.tick(next));
  }

  // Where frames take long, what moves is drawn coarsely, and finely when it stands again.
  private keepPace(interval: number): void {
    const { playing } = this.store.state;
    this.pace = playing ? 0.75 * this.pace + 0.25 * Math.min(interval, 1) : 0;
    if (!playing && !this.plain) this.stage.coarse(false);
    else if (this.plain || this.pace > SLOW_FRAME) this.stage.coarse(true);
  }

  // ----------------------------------------------------------------------------------------
  // Drawing.

  frames(): Frame[] {
    this.rect ??= byId('stage').getBoundingClientRect();
    const { x, y, width, height } = this.rect, { worlds } = this;
    // Two worlds lie beside each other, or on a phone one below the other.
    const tall = height > width;
    const wide = tall ? width : width / worlds.length, high = tall ? height / worlds.length : height;
    return worlds.map((world, i) => ({
      world, rect: new DOMRect(x + (tall ? 0 : i * wide), y + (tall ? i * high : 0), wide, high),
    }));
  }

  render(): void {
    const { state } = this.store;
    this.followBody();
    if (state.mode === 'gallery') {
      this.stage.renderTiles(this.gallery.frames(), state);
    } else {
      const ghosts = state.mode === 'draw'
        ? this.gallery.chosen.filter((w) => w !== state.world).slice(0, 40) : [];
      this.stage.renderWorlds(this.frames(), state, ghosts);
    }
    this.transport.draw();
    this.timeline.draw();
    this.graphs.draw();
    this.tactics.draw();
    this.surround.describeSelected();
    this.surround.tellPlan();
    this.pointing.again(this.last);
  }

  // Where the camera goes is a question of the playback's time, not of the clock.
  private followBody(): void {
    const { world, seconds, body, camera, mode } = this.store.state;
    const near = mode !== 'gallery' && camera !== 'free' && camera !== 'around';
    const lead = camera === 'free' ? null : leadBody(this.playback, body);
    const now = this.playback.worlds[world];
    this.stage.follow(lead === null ? null : followed(this.playback, now, lead, frameAt(this.playback, now, seconds)),
      seconds, near);
  }

  invalidate(): void {
    this.dirty = true;
  }

  // From now on only what is asked for is drawn: the clock stands still.
  beFilmed(): void {
    this.filmed = true;
  }

  private listen(): void {
    const again = () => {
      this.rect = null;
      this.stage.resize();
      this.surround.placeCards();
      this.dirty = true;
    };
    window.addEventListener('resize', again);
    new ResizeObserver(again).observe(byId('stage'));
    // The cameras capture the pointer that goes down on the scene; a card keeps its own.
    for (const card of document.querySelectorAll('#cards, #legend, #tree-panel, #hint')) {
      card.addEventListener('pointerdown', (event) => event.stopPropagation());
    }
    byId('gallery').addEventListener('scroll', () => this.invalidate());
    // A button pressed with the mouse gives the keyboard back: Space is play, not "again".
    window.addEventListener('click', (event) => {
      if (event.detail > 0) (event.target as HTMLElement).closest('button')?.blur();
    });
  }

  // A second world beside the first halves the room: show everything again.
  private refit(): void {
    const count = this.store.state.other === null ? 1 : 2;
    if (this.store.state.mode !== 'gallery' && count !== this.fitted) {
      this.fitted = count;
      this.seeAll();
    }
  }

  seeAll(): void {
    if (this.store.state.mode === 'gallery') return;
    const { width, height } = this.frames()[0].rect;
    const { world, other } = this.store.state;
    this.stage.cameras.setView(other === null ? actionView(this.playback, this.playback.worlds[world]) : wholeView(this.playback));
    if (width > 0 && height > 0) this.stage.cameras.reset(width / height);
    this.dirty = true;
  }

  private changed(change: Change): void {
    const { state } = this.store;
    this.dirty = true;
    if (change.growth !== undefined) {
      this.stage.tree.grow(state.growth);
      this.surround.tellTree();
    }
    // While it plays nothing but the time changes, sixty times a second.
    if (Object.keys(change).every((key) => key === 'seconds' || key === 'growth')) return;
    this.rect = null;
    if (change.theme) {
      document.documentElement.dataset.theme = state.theme;
      this.stage.theme(state.theme === 'dark');
    }
    if (change.top !== undefined) this.stage.cameras.setTop(state.top);
    if (change.camera) {
      this.stage.cameras.setMode(state.camera);
      // Back from a body, see everything again.
      if (state.camera === 'free' && this.fitted > 0) this.seeAll();
    }
    if (change.rules || change.sort || change.kept || change.world !== undefined) this.gallery.refresh();
    if (change.panel) {
      for (const panel of PANELS) byId(panel).hidden = state.panel !== panel;
      byId('panels').hidden = state.panel === 'none';
    }
    if (change.panel || change.theme) this.timeline.stale();
    if (change.world !== undefined) this.timeline.show(this.playback.worlds[state.world]);
    const axes: (keyof State)[] = ['world', 'other', 'body', 'theme', 'axis', 'panel'];
    if (axes.some((key) => key in change)) this.graphs.show(this.playback.worlds[state.world]);
    if (change.world !== undefined || change.panel) this.tables.show(this.playback.worlds[state.world]);
    if (change.mode) {
      document.body.dataset.mode = state.mode;
      byId('gallery').hidden = state.mode !== 'gallery';
      if (state.mode === 'gallery') byId('tiles').querySelector<HTMLElement>('.shot')?.focus();
    }
    if (change.body !== undefined) this.stage.highlight(state.body);
    if (change.muted) this.stage.tree.ends.filter(state.muted);
    if (change.end !== undefined) this.stage.tree.ends.show(state.end);
    const keys: (keyof State)[] = ['world', 'other', 'kept', 'body', 'mode', 'rules', 'end', 'tree'];
    const legend: (keyof State)[] = ['world', 'tint', 'tree', 'places', 'paths', 'ghosts', 'mode'];
    if (legend.some((key) => key in change)) this.surround.fillLegend();
    if (keys.some((key) => key in change)) this.surround.fillCards();
    this.surround.pressButtons();
    // What is shown around the scene says how much room there is for it.
    this.rect = null;
    this.refit();
  }

  // ----------------------------------------------------------------------------------------
  // Worlds.

  keep(world: number): void {
    const kept = new Set(this.store.state.kept);
    if (!kept.delete(world)) kept.add(world);
    this.store.set({ kept });
  }

  async save(): Promise<void> {
    const { kept, world } = this.store.state;
    const worlds = kept.size > 0 ? [...kept].sort((a, b) => a - b) : [world];
    await savePage(this.source, this.playback, worlds);
  }

  otherWorld(step: number): void {
    const { chosen } = this.gallery;
    if (chosen.length === 0) return;
    const at = chosen.indexOf(this.store.state.world);
    this.store.set({ world: chosen[(at + step + chosen.length) % chosen.length] });
  }

  toggleBeside(): void {
    const { other, world } = this.store.state;
    const { chosen } = this.gallery;
    const next = chosen[(chosen.indexOf(world) + 1) % chosen.length];
    if (this.playback.worlds.length < 2) return;
    this.store.set({ other: other === null ? next ?? 0 : null, mode: 'stage' });
  }

  moveOther(step: number): void {
    const { chosen } = this.gallery;
    const at = chosen.indexOf(this.store.state.other!);
    if (chosen.length > 0) this.store.set({ other: chosen[(at + step + chosen.length) % chosen.length] });
  }

  selectBody(step: number): void {
    const count = this.playback.bodies.length;
    const { body } = this.store.state;
    const next = body === null ? (step > 0 ? 0 : count - 1) : body + step;
    this.store.set({ body: next < 0 || next >= count ? null : next });
  }

  panel(panel: Panel): void {
    this.store.set({ panel: this.store.state.panel === panel ? 'none' : panel });
    this.stage.resize();
  }

  // ----------------------------------------------------------------------------------------
  // Modes.

  toggleGallery(): void {
    if (this.playback.worlds.length < 2) return;
    this.draw.cancel();
    this.store.set({ mode: this.store.state.mode === 'gallery' ? 'stage' : 'gallery' });
  }

  filter(): void {
    if (this.playback.worlds.length < 2) return;
    this.store.set({ mode: 'gallery' });
    this.gallery.focusFilter();
  }

  toggleTree(): void {
    this.store.set({ tree: !this.store.state.tree && this.playback.tree.count > 0, end: null });
  }

  // The next end of a branch, in the order of the search, and why it ended.
  nextEnd(): void {
    const { list } = this.stage.tree.ends, { end } = this.store.state;
    if (list.length === 0) return;
    this.store.set({ tree: true, end: list[(end === null ? 0 : list.indexOf(end) + 1) % list.length] });
  }

  muteReason(reason: number, mute: boolean): void {
    const muted = new Set(this.store.state.muted);
    if (mute) muted.add(reason);
    else muted.delete(reason);
    this.store.set({ muted, end: null });
  }

  grow(): void {
    if (this.playback.tree.count > 0) this.store.set({ tree: true, growth: 0, growing: true });
  }

  nextCamera(step = 1): void {
    const at = CAMERAS.indexOf(this.store.state.camera) + step;
    this.store.set({ camera: CAMERAS[(at + CAMERAS.length) % CAMERAS.length], top: false });
  }

  tints(): Tint[] {
    return tintsOf(this.playback, this.playback.worlds[this.store.state.world]);
  }

  nextTint(): void {
    const tints = this.tints(), at = tints.indexOf(this.store.state.tint) + 1;
    this.store.set({ tint: tints[at % tints.length], paths: true });
  }

  toggleTheme(): void {
    this.store.set({ theme: this.store.state.theme === 'dark' ? 'light' : 'dark' });
  }

  help(): void {
    const help = byId<HTMLDialogElement>('help');
    if (help.open) help.close();
    else help.showModal();
  }

  escape(): void {
    const { mode, other, body, end } = this.store.state;
    if (mode === 'draw') this.draw.cancel();
    else if (mode === 'gallery') this.store.set({ mode: 'stage' });
    else if (end !== null) this.store.set({ end: null });
    else if (body !== null) this.store.set({ body: null });
    else if (other !== null) this.store.set({ other: null });
  }

  // ----------------------------------------------------------------------------------------
  // Read back for tests: where a body is drawn, after drawing the given moment.

  drawnAt(name: string): [number, number, number] | null {
    this.render();
    return this.stage.drawnAt(this.playback.bodies.findIndex((body) => body.name === name));
  }

  get frame(): number {
    const { world, seconds } = this.store.state;
    return frameAt(this.playback, this.playback.worlds[world], seconds);
  }

  get calls(): number {
    this.render();
    return this.stage.calls;
  }
}

