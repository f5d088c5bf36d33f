import { Draw } from './draw';
import { byId, iconButton, make, press, rebuild } from './dom';
import { Gallery } from './gallery';
import { Graphs } from './graphs';
import { fillHelp, listenKeys, type KeyGroup } from './keys';
import { duration, frameAt, type Playback } from './playback';
import { savePage } from './save';
import { Stage, type Frame } from './stage';
import { Store, type Change, type State } from './store';
import { Timeline } from './timeline';
import { SPEEDS, Transport } from './transport';

const GROW_SECONDS = 6;
const REST_SECONDS = 0.8; // at the end, before it starts again

// Up to this many moving bodies, all paths are shown at once.
const PATHS_AT_ONCE = 40;

function firstState(playback: Playback): State {
  const asked = new URLSearchParams(location.hash.slice(1));
  const number = (name: string, most: number) =>
    Math.min(Math.max(Number(asked.get(name)) || 0, 0), most);
  const still = asked.has('t') || matchMedia('(prefers-reduced-motion: reduce)').matches;
  const theme = asked.get('theme')
    ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  const world = Math.max(number('world', playback.worlds.length) - 1, 0);
  return {
    world, other: asked.has('beside') ? Math.max(number('beside', playback.worlds.length) - 1, 0) : null,
    seconds: number('t', duration(playback, playback.worlds[world])), playing: !still, speed: 1,
    loop: true, mode: asked.has('gallery') ? 'gallery' : 'stage', top: asked.has('top'),
    paths: playback.tracks <= PATHS_AT_ONCE, tree: asked.has('tree'), growth: 1, growing: false,
    panel: asked.has('graphs') ? 'graphs' : window.innerHeight < 560 ? 'none' : 'timeline',
    theme: theme === 'dark' ? 'dark' : 'light',
    body: null, kept: new Set(), rules: [], sort: 'score',
  };
}

export class App {
  readonly store: Store;
  readonly stage: Stage;
  readonly gallery: Gallery;
  private timeline: Timeline;
  private graphs: Graphs;
  private transport: Transport;
  private draw: Draw;
  private buttons: Record<string, HTMLButtonElement> = {};
  private dirty = true;
  private last = 0;
  private rested = 0;
  private hovered = 0;
  private pointer: { x: number; y: number } | null = null;

  constructor(readonly playback: Playback, private source: string) {
    this.store = new Store(firstState(playback));
    this.stage = new Stage(byId<HTMLCanvasElement>('view'), byId('stage'), playback);
    this.gallery = new Gallery(playback, this.store, {
      open: (world) => this.store.set({ world, mode: 'stage', other: null }),
      beside: (other) => this.store.set({ other, mode: 'stage' }),
      keep: (world) => this.keep(world),
      drawBox: (who, kind) => this.draw.start(who, kind),
      save: () => void this.save(),
    });
    this.draw = new Draw(this.store, this.stage, this.gallery, () => this.frames()[0]);
    const seek = (seconds: number) => this.seek(seconds);
    this.timeline = new Timeline(playback, this.store, seek);
    this.graphs = new Graphs(playback, this.store, seek);
    this.transport = new Transport(this.store, {
      toggle: () => this.toggle(), step: (n) => this.step(n), seek,
      faster: (n) => this.faster(n), panel: (panel) => this.panel(panel),
      duration: () => this.duration(), frameSeconds: playback.frameSeconds,
    });
    this.fillBar();
    this.fillTreePanel();
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
    const end = this.duration(), next = seconds + elapsed * speed;
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
    const elapsed = Math.min((now - this.last) / 1000, 0.1);
    this.last = now;
    this.advance(elapsed);
    if (this.store.state.mode !== 'gallery' && this.stage.cameras.update()) this.dirty = true;
    if (this.dirty) this.render();
    this.dirty = false;
    requestAnimationFrame((next) => this.tick(next));
  }

  // ----------------------------------------------------------------------------------------
  // Drawing.

  frames(): Frame[] {
    const { x, y, width, height } = byId('stage').getBoundingClientRect();
    const { worlds } = this;
    // Two worlds lie beside each other, or on a phone one below the other.
    const tall = height > width;
    const wide = tall ? width : width / worlds.length, high = tall ? height / worlds.length : height;
    return worlds.map((world, i) => ({
      world, rect: new DOMRect(x + (tall ? 0 : i * wide), y + (tall ? i * high : 0), wide, high),
    }));
  }

  render(): void {
    const { state } = this.store;
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
    this.describeSelected();
    this.hoverAgain();
  }

  private seeAll(): void {
    if (this.store.state.mode === 'gallery') return;
    const { width, height } = this.frames()[0].rect;
    if (width > 0 && height > 0) this.stage.cameras.reset(width / height);
    this.dirty = true;
  }

  private changed(change: Change): void {
    const { state } = this.store;
    this.dirty = true;
    if (change.theme) {
      document.documentElement.dataset.theme = state.theme;
      this.stage.theme(state.theme === 'dark');
    }
    if (change.top !== undefined) this.stage.cameras.setTop(state.top);
    if (change.other !== undefined) this.seeAll();
    if (change.growth !== undefined) this.stage.tree.grow(state.growth);
    if (change.rules || change.sort || change.kept || change.world !== undefined) this.gallery.refresh();
    if (change.panel) {
      byId('timeline').hidden = state.panel !== 'timeline';
      byId('graphs').hidden = state.panel !== 'graphs';
      byId('panels').hidden = state.panel === 'none';
    }
    if (change.world !== undefined) this.timeline.show(this.playback.worlds[state.world]);
    if (change.world !== undefined || change.body !== undefined || change.theme) {
      this.graphs.show(this.playback.worlds[state.world]);
    }
    if (change.mode) {
      document.body.dataset.mode = state.mode;
      byId('gallery').hidden = state.mode !== 'gallery';
      if (state.mode === 'gallery') byId('tiles').querySelector<HTMLElement>('.shot')?.focus();
    }
    if (change.body !== undefined) this.stage.highlight(state.body);
    const keys: (keyof State)[] = ['world', 'other', 'kept', 'body', 'mode', 'rules'];
    if (keys.some((key) => key in change)) this.fillCards();
    this.pressButtons();
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

  selectBody(step: number): void {
    const count = this.playback.bodies.length;
    const { body } = this.store.state;
    const next = body === null ? (step > 0 ? 0 : count - 1) : body + step;
    this.store.set({ body: next < 0 || next >= count ? null : next });
  }

  private panel(panel: 'timeline' | 'graphs'): void {
    this.store.set({ panel: this.store.state.panel === panel ? 'none' : panel });
    this.stage.resize();
  }

  // ----------------------------------------------------------------------------------------
  // What stands around the scene.

  private fillBar(): void {
    const { title, about, worlds, tree } = this.playback;
    byId('names').querySelector('h1')!.textContent = title || 'carom';
    byId('names').querySelector('p')!.textContent = about;
    const { store } = this;
    const flip = (key: 'top' | 'paths' | 'tree') => () => store.set({ [key]: !store.state[key] });
    const add = (id: string, label: string, key: string, click: () => void) => {
      this.buttons[id] = iconButton(id, label, key, click);
      byId('tools').append(this.buttons[id]);
    };
    if (worlds.length > 1) {
      add('worlds', 'Worlds', 'g', () => this.toggleGallery());
      add('beside', 'Side by side', 'c', () => this.toggleBeside());
    }
    add('top', 'Top view', 't', flip('top'));
    add('paths', 'Paths', 'p', flip('paths'));
    if (tree.count > 0) add('tree', 'Search tree', 'n', flip('tree'));
    add('theme', 'Dark or light', 'y', () => this.toggleTheme());
    add('help', 'Keys', '?', () => this.help());
    fillHelp(this.keys());
    listenKeys(this.keys());
  }

  private pressButtons(): void {
    const { top, paths, tree, mode, other } = this.store.state;
    const pressed = { top, paths, tree, worlds: mode === 'gallery', beside: other !== null };
    for (const [id, value] of Object.entries(pressed)) {
      if (this.buttons[id]) press(this.buttons[id], value);
    }
    byId('tree-panel').hidden = !tree || mode !== 'stage';
    const slider = byId('tree-panel').querySelector('input');
    if (slider) slider.value = String(this.store.state.growth);
    const count = byId('tree-panel').querySelector('output');
    if (count) count.textContent = `${this.stage.tree.shown.toLocaleString('en')} nodes`;
  }

  private fillTreePanel(): void {
    const slider = make('input', {
      type: 'range', min: '0', max: '1', step: 'any', 'aria-label': 'How far the tree has grown',
      input: () => this.store.set({ growth: Number(slider.value), growing: false }),
    });
    byId('tree-panel').append(make('span', {}, 'Tree'), slider, make('output'),
      make('button', { type: 'button', title: 'Grow it again (u)', click: () => this.grow() }, 'Grow'));
  }

  private grow(): void {
    if (this.playback.tree.count > 0) this.store.set({ tree: true, growth: 0, growing: true });
  }

  private fillCards(): void {
    const { world, other, body, kept, mode } = this.store.state;
    const cards: HTMLElement[] = [];
    if (mode === 'stage' && this.playback.worlds.length > 1) {
      cards.push(...[world, ...(other === null ? [] : [other])].map((w, i) => this.card(w, i, kept)));
    }
    if (mode === 'stage' && other !== null) cards.push(make('div', { id: 'cut' }));
    if (mode === 'stage' && body !== null) {
      cards.push(make('p', { class: 'card', id: 'selected' }, make('span'),
        iconButton('close', 'Select nothing', 'Esc', () => this.store.set({ body: null }))));
    }
    rebuild(byId('cards'), ...cards);
    this.describeSelected();
    this.placeCards();
  }

  private placeCards(): void {
    const frames = this.frames(), [first] = frames;
    byId('cards').querySelectorAll<HTMLElement>('.world').forEach((card, i) => {
      card.style.left = `${frames[i].rect.x - first.rect.x + 12}px`;
      card.style.top = `${frames[i].rect.y - first.rect.y + 12}px`;
    });
    const cut = byId('cards').querySelector<HTMLElement>('#cut');
    if (!cut || frames.length < 2) return;
    const { rect } = frames[1], beside = rect.x > first.rect.x;
    Object.assign(cut.style, {
      left: `${rect.x - first.rect.x}px`, top: `${rect.y - first.rect.y}px`,
      width: beside ? '1px' : `${rect.width}px`, height: beside ? `${rect.height}px` : '1px',
    });
  }

  private describeSelected(): void {
    const { body, world, seconds } = this.store.state;
    const text = byId('cards').querySelector('#selected span');
    if (text && body !== null) text.textContent = this.stage.describe(body, world, seconds);
  }

  // What the mouse rests on moves under it; looking ten times a second is enough.
  private hoverAgain(): void {
    if (!this.pointer || this.store.state.mode !== 'stage' || this.last - this.hovered < 100) return;
    this.hovered = this.last;
    this.hover(this.pointer.x, this.pointer.y);
  }

  private card(index: number, place: number, kept: ReadonlySet<number>): HTMLElement {
    const { title, score } = this.playback.worlds[index];
    const rank = this.gallery.chosen.indexOf(index) + 1;
    const move = (step: number) => () => {
      if (place === 0) this.otherWorld(step);
      else this.moveOther(step);
    };
    const keep = iconButton('keep', 'Keep', place === 0 ? 'm' : '', () => this.keep(index));
    press(keep, kept.has(index));
    const facts = make('span', {}, make('strong', {}, title || `world ${index + 1}`), ' ',
      make('small', {}, `${+score.toPrecision(4)} · ${rank || '–'} of ${this.gallery.chosen.length}`));
    return make('div', { class: 'card world' },
      iconButton('left', 'Previous world', place === 0 ? 'k' : '', move(-1)), facts,
      iconButton('right', 'Next world', place === 0 ? 'j' : '', move(1)), keep);
  }

  private moveOther(step: number): void {
    const { chosen } = this.gallery;
    const at = chosen.indexOf(this.store.state.other!);
    if (chosen.length > 0) this.store.set({ other: chosen[(at + step + chosen.length) % chosen.length] });
  }

  private toggleGallery(): void {
    if (this.playback.worlds.length < 2) return;
    this.draw.cancel();
    this.store.set({ mode: this.store.state.mode === 'gallery' ? 'stage' : 'gallery' });
  }

  private toggleTheme(): void {
    this.store.set({ theme: this.store.state.theme === 'dark' ? 'light' : 'dark' });
  }

  private help(): void {
    const help = byId<HTMLDialogElement>('help');
    if (help.open) help.close();
    else help.showModal();
  }

  // ----------------------------------------------------------------------------------------
  // Mouse and keyboard.

  private tip(text: string | null, x: number, y: number): void {
    const tip = byId('tip');
    tip.hidden = text === null;
    if (text === null) return;
    tip.textContent = text;
    const right = x > window.innerWidth * 0.6, low = y > window.innerHeight * 0.75;
    tip.style.left = right ? '' : `${x + 14}px`;
    tip.style.right = right ? `${window.innerWidth - x + 14}px` : '';
    tip.style.top = low ? '' : `${y + 14}px`;
    tip.style.bottom = low ? `${window.innerHeight - y + 14}px` : '';
  }

  private frameUnder(x: number, y: number): Frame {
    const frames = this.frames();
    return frames.find(({ rect }) => x < rect.right && y < rect.bottom) ?? frames[0];
  }

  private hover(x: number, y: number): void {
    const hit = this.stage.pick(this.frameUnder(x, y), this.store.state, x, y);
    this.tip(hit?.text ?? null, x, y);
    if (this.stage.highlight(hit?.body ?? this.store.state.body)) this.dirty = true;
    byId('stage').style.cursor = hit && hit.body !== null ? 'pointer' : '';
  }

  private listen(): void {
    const element = byId('stage');
    let down = { x: 0, y: 0 };
    element.addEventListener('pointerdown', ({ clientX: x, clientY: y }) => { down = { x, y }; });
    element.addEventListener('pointermove', ({ clientX: x, clientY: y, buttons, target }) => {
      const inside = !(target as HTMLElement).closest('.card');
      this.pointer = buttons === 0 && this.store.state.mode === 'stage' && inside ? { x, y } : null;
      if (this.pointer) this.hover(x, y);
      else this.tip(null, 0, 0);
    });
    element.addEventListener('pointerleave', () => {
      this.pointer = null;
      this.tip(null, 0, 0);
      if (this.stage.highlight(this.store.state.body)) this.dirty = true;
    });
    element.addEventListener('click', ({ clientX: x, clientY: y, target }) => {
      const far = Math.hypot(x - down.x, y - down.y) > 5;
      if (far || this.store.state.mode !== 'stage' || (target as HTMLElement).closest('.card')) return;
      const hit = this.stage.pick(this.frameUnder(x, y), this.store.state, x, y);
      if (hit?.seconds !== undefined) this.seek(hit.seconds);
      else this.store.set({ body: hit?.body ?? null });
    });
    for (const [id, pick] of [
      ['timeline', (x: number, y: number) => this.timeline.pick(x, y)?.text ?? null],
      ['graphs', (x: number, y: number) => this.graphs.pick(x, y)],
    ] as const) {
      byId(id).addEventListener('pointermove', ({ clientX: x, clientY: y }) => this.tip(pick(x, y), x, y));
      byId(id).addEventListener('pointerleave', () => this.tip(null, 0, 0));
    }
    // A button pressed with the mouse gives the keyboard back: Space is play, not "again".
    window.addEventListener('click', (event) => {
      if (event.detail > 0) (event.target as HTMLElement).closest('button')?.blur();
    });
    window.addEventListener('resize', () => {
      this.stage.resize();
      this.dirty = true;
    });
    new ResizeObserver(() => {
      this.placeCards();
      this.dirty = true;
    }).observe(element);
    byId('gallery').addEventListener('scroll', () => { this.dirty = true; });
  }

  private escape(): void {
    const { mode, other, body } = this.store.state;
    if (mode === 'draw') this.draw.cancel();
    else if (mode === 'gallery') this.store.set({ mode: 'stage' });
    else if (body !== null) this.store.set({ body: null });
    else if (other !== null) this.store.set({ other: null });
  }

  private keys(): KeyGroup[] {
    const { cameras } = this.stage;
    const drawing = () => this.store.state.mode === 'draw';
    const view = (change: () => void) => () => {
      change();
      this.dirty = true;
    };
    const second = Math.max(1, Math.round(1 / this.playback.frameSeconds));
    const arrow = (x: number, y: number, large: boolean) => {
      if (drawing()) this.draw.key(x, y, large);
      else if (x !== 0) this.step(x * (large ? second : 1));
      else cameras.zoom(y > 0 ? 1.12 : 1 / 1.12);
      this.dirty = true;
    };
    const replay: KeyGroup = {
      title: 'Replay', keys: [
        { keys: [' '], text: 'play or pause', run: () => this.toggle() },
        { keys: ['ArrowLeft', 'ArrowRight'], text: 'one frame', run: (k) => arrow(k === 'ArrowLeft' ? -1 : 1, 0, false) },
        { keys: ['Shift+ArrowLeft', 'Shift+ArrowRight'], text: 'one second', run: (k) => arrow(k.endsWith('Left') ? -1 : 1, 0, true) },
        { keys: ['Home', 'End'], text: 'to the start, to the end', run: (k) => this.seek(k === 'Home' ? 0 : Infinity) },
        { keys: ['[', ']'], text: 'last or next contact or Skill', run: (k) => this.jump(k === '[' ? -1 : 1) },
        { keys: [',', '.'], text: 'slower, faster', run: (k) => this.faster(k === ',' ? -1 : 1) },
        { keys: ['l'], text: 'repeat or stop at the end', run: () => this.store.set({ loop: !this.store.state.loop }) },
      ],
    };
    const look: KeyGroup = {
      title: 'View', keys: [
        { keys: ['a', 'd', 'w', 's'], text: 'orbit', run: view(() => {}) },
        { keys: ['A', 'D', 'W', 'S'], text: 'move', run: view(() => {}) },
        { keys: ['ArrowUp', 'ArrowDown'], text: 'nearer, farther', run: (k) => arrow(0, k === 'ArrowUp' ? 1 : -1, false) },
        { keys: ['r'], text: 'see everything', run: () => this.seeAll() },
        { keys: ['t'], text: 'top view', run: () => this.store.set({ top: !this.store.state.top }) },
        { keys: ['p'], text: 'all paths', run: () => this.store.set({ paths: !this.store.state.paths }) },
        { keys: ['n'], text: 'search tree', run: () => this.store.set({ tree: !this.store.state.tree && this.playback.tree.count > 0 }) },
        { keys: ['u'], text: 'grow the tree', run: () => this.grow() },
        { keys: ['b', 'B'], text: 'select the next or last body', run: (k) => this.selectBody(k === 'b' ? 1 : -1) },
      ],
    };
    const [orbit, move] = look.keys;
    const directions: Record<string, [number, number]> = { a: [-1, 0], d: [1, 0], w: [0, 1], s: [0, -1] };
    orbit.run = (k) => view(() => cameras.turn(directions[k][0] * 0.12, directions[k][1] * 0.08))();
    move.run = (k) => {
      const [x, y] = directions[k.toLowerCase()];
      view(() => cameras.shift(x * 0.08, y * 0.08))();
    };
    const worlds: KeyGroup = {
      title: 'Worlds', keys: [
        { keys: ['g'], text: 'gallery', run: () => this.toggleGallery() },
        { keys: ['j', 'k'], text: 'next, previous', run: (k) => this.otherWorld(k === 'j' ? 1 : -1) },
        { keys: ['c'], text: 'side by side', run: () => this.toggleBeside() },
        { keys: ['m'], text: 'keep this one', run: () => this.keep(this.store.state.world) },
        { keys: ['x'], text: 'save what is kept as a page', run: () => void this.save() },
        { keys: ['f'], text: 'filter', run: () => { if (this.playback.worlds.length > 1) { this.store.set({ mode: 'gallery' }); this.gallery.focusFilter(); } } },
        { keys: ['Enter'], text: 'use the box that is drawn', run: () => this.draw.accept() },
      ],
    };
    const page: KeyGroup = {
      title: 'Page', keys: [
        { keys: ['i', 'o'], text: 'time line, graphs', run: (k) => this.panel(k === 'i' ? 'timeline' : 'graphs') },
        { keys: ['y'], text: 'dark or light', run: () => this.toggleTheme() },
        { keys: ['?'], text: 'these keys', run: () => this.help() },
        { keys: ['Escape'], text: 'back', run: () => this.escape() },
      ],
    };
    return this.playback.worlds.length > 1 ? [replay, look, worlds, page] : [replay, look, page];
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
    return this.stage.renderer.info.render.calls;
  }
}

