// What stands around the scene: the bar above it, and the cards on it.

import type { App } from './app';
import type { State } from './store';
import { RAMP_CSS } from './colors';
import { END_COLORS } from './ends';
import { byId, hex, iconButton, make, press, rebuild } from './dom';
import { GAP, planColor } from './ghosts';
import { maxSpeed, offPlan, planAt } from './playback';
import { SLIP_FULL, type Tint } from './trails';

const CAMERA_NAMES: Record<State['camera'], string> = {
  free: 'free camera', follow: 'follow', ride: 'ride along', eyes: 'from the robot', around: 'go around',
};
const TINTS: Record<Tint, string> = {
  body: 'colour of the body', speed: 'speed', slip: 'slip angle', skill: 'Skill',
};

export class Surround {
  private cameras: HTMLSelectElement | null = null;
  private buttons: Record<string, HTMLButtonElement> = {};

  constructor(private app: App) {
    this.fillBar();
    this.fillTreePanel();
  }

  private fillBar(): void {
    const { app } = this;
    const { title, about, worlds, tree } = app.playback;
    byId('names').querySelector('h1')!.textContent = title || 'carom';
    byId('names').querySelector('p')!.textContent = about === title ? '' : about;
    byId('names').title = about === title ? title : `${title}: ${about}`;
    const flip = (key: 'top' | 'paths') => () => app.store.set({ [key]: !app.store.state[key] });
    if (worlds.length > 1) {
      this.addButton('worlds', 'Worlds', 'g', () => app.toggleGallery());
      this.addButton('beside', 'Side by side', 'c', () => app.toggleBeside());
    }
    if (app.playback.tracks > 0 && !app.stage.flat) this.addCameras();
    this.addButton('top', 'Top view', 't', flip('top'));
    this.addButton('paths', 'Paths', 'p', flip('paths'));
    if (tree.count > 0) this.addButton('tree', 'Search tree', 'n', () => app.toggleTree());
    this.addButton('theme', 'Dark or light', 'y', () => app.toggleTheme());
    this.addButton('help', 'Keys', '?', () => app.help());
  }

  private addCameras(): void {
    const { app } = this;
    this.cameras = make('select', {
      'aria-label': 'Camera', title: 'Camera (v)', id: 'camera',
      change: () => app.store.set({ camera: this.cameras!.value as State['camera'], top: false }),
    }, ...Object.entries(CAMERA_NAMES).map(([value, name]) => make('option', { value }, name)));
    byId('tools').append(this.cameras);
  }

  private addButton(id: string, label: string, key: string, click: () => void): void {
    this.buttons[id] = iconButton(id, label, key, click);
    byId('tools').append(this.buttons[id]);
  }

  pressButtons(): void {
    const { top, paths, tree, mode, other } = this.app.store.state;
    const pressed = { top, paths, tree, worlds: mode === 'gallery', beside: other !== null };
    for (const [id, value] of Object.entries(pressed)) {
      if (this.buttons[id]) press(this.buttons[id], value);
    }
    if (this.cameras) this.cameras.value = this.app.store.state.camera;
    byId('tree-panel').hidden = !tree || mode !== 'stage';
  }

  tellTree(): void {
    const panel = byId('tree-panel');
    panel.querySelector('input')!.value = String(this.app.store.state.growth);
    panel.querySelector('output')!.textContent = this.treeText();
  }

  // How much is drawn now, and how much of the tree there is to draw: a large one is thinned.
  private treeText(): string {
    const { nodes, shown } = this.app.playback.tree;
    const count = (value: number) => value.toLocaleString('en');
    const points = `${count(this.app.stage.tree.shown)} points`;
    if (nodes === 0) return points;
    return `${points} · ${shown < nodes ? `${count(shown)} of ` : 'all '}${count(nodes)} nodes`;
  }

  // Why branches are not in the tree, or end in it: a switch for each reason.
  private reasonRows(): HTMLElement[] {
    const { app } = this;
    return app.playback.tree.reasons.map(({ kind, text, count }, i) => {
      const box = make('input', { type: 'checkbox', change: () => app.muteReason(i, !box.checked) });
      box.checked = true;
      const died = kind === 'rule' || kind === 'engine';
      return make('li', {}, make('label', {}, box,
        make('i', { class: 'sign', style: `color:${hex(END_COLORS[kind])}`, 'aria-hidden': 'true' }, died ? '\u00d7' : '\u25cb'),
        make('span', {}, `${count.toLocaleString('en')} ${text}`)));
    });
  }

  // How many there were in all, where not all are shown.
  private deadText(): string {
    const { dead, reasons } = this.app.playback.tree;
    const died = dead[0] + dead[1];
    const noted = reasons.filter(({ kind }) => kind === 'rule' || kind === 'engine').reduce((sum, { count }) => sum + count, 0);
    return noted < died ? `${noted.toLocaleString('en')} of the ${died.toLocaleString('en')} that died are shown.` : '';
  }

  // ----------------------------------------------------------------------------------------
  // The legend: what the colours mean, and switches for what may be left out.

  fillLegend(): void {
    const { app } = this, { playback } = app, { tint, tree, places, mode, world } = app.store.state;
    const now = playback.worlds[world];
    const swatch = (style: string, kind = 'swatch') => make('i', { class: kind, style });
    const rows: HTMLElement[] = [];
    for (const goal of playback.goals) {
      rows.push(make('li', {}, swatch('border-color:#2fbf71;background:rgb(47 191 113 / 30%)'), `goal: ${playback.regions[goal].name}`));
    }
    if (playback.tracks > 0) rows.push(this.tintRow(tint));
    if (tint === 'speed') rows.push(this.rampRow('0', `${maxSpeed(playback, now).toFixed(1)} m/s`));
    if (tint === 'slip') rows.push(this.rampRow('0', `${SLIP_FULL}°`));
    if (tint === 'body') {
      for (const body of playback.moving.slice(0, playback.tracks > 8 ? 0 : 8)) {
        rows.push(make('li', {}, swatch(`background:${hex(playback.bodies[body].color)}`), `path of ${playback.bodies[body].name || `body ${body}`}`));
      }
    }
    rows.push(...this.planRows());
    if (tree) rows.push(make('li', {}, swatch('background:linear-gradient(90deg,#b7a4e6,#6d2fc9)', 'ramp'), 'search tree, old to young'));
    const others = playback.regions.filter((_, i) => !playback.goals.includes(i));
    if (others.length > 0 && !playback.marks.some(({ kind }) => kind === 'road')) {
      const box = make('input', { type: 'checkbox', change: () => app.store.set({ places: box.checked }) });
      box.checked = places;
      rows.push(make('li', {}, make('label', {}, box, `regions of the search: ${others.map(({ name }) => name).join(', ')}`)));
    }
    rebuild(byId('legend').querySelector('ul')!, ...rows);
    byId('legend').hidden = mode !== 'stage' || rows.length === 0;
    this.tellPlan();
  }

  // Of a run: what its plans look like, and a switch for them.
  private planRows(): HTMLElement[] {
    const { app } = this, { plans } = app.playback;
    if (plans.length === 0) return [];
    const box = make('input', { type: 'checkbox', change: () => app.store.set({ ghosts: box.checked }) });
    box.checked = app.store.state.ghosts;
    const colors = plans.slice(0, 5).map((plan) => `#${planColor(plan).getHexString()}`);
    const ramp = colors.map((color, i) => `${color} ${(100 * i) / colors.length}% ${(100 * (i + 1)) / colors.length}%`).join(',');
    return [
      make('li', {}, make('label', {}, box, make('i', { class: 'ramp', style: `background:linear-gradient(90deg,${ramp});opacity:.75` }),
        plans.length > 1 ? `ghosts: its ${plans.length} plans, each in its colour` : 'ghost: its plan')),
      make('li', {}, make('i', { class: 'swatch', style: `background:${hex(GAP)};border-color:${hex(GAP)};height:3px` }), 'from what is to what was planned'),
      make('li', { id: 'plan-now', role: 'status' }),
    ];
  }

  // Which plan is followed, and how far it is off.
  tellPlan(): void {
    const line = document.getElementById('plan-now');
    if (!line) return;
    const { playback, frame, store: { state } } = this.app, now = planAt(playback, frame);
    const world = playback.worlds[state.world];
    const off = playback.moving.reduce((most, body) => Math.max(most, offPlan(playback, body, world, frame) ?? 0), 0);
    const made = now < 0 ? 'no plan yet' : `${playback.plans[now].title} of ${playback.plans.length}, made at ${
      (playback.plans[now].from * playback.frameSeconds).toFixed(2)} s`;
    const text = now < 0 ? made : `${made}: off by ${off.toFixed(3)} m at most`;
    if (line.textContent !== text) line.textContent = text;
  }

  private tintRow(tint: Tint): HTMLElement {
    const { app } = this;
    const select = make('select', {
      'aria-label': 'Colour of the paths', change: () => app.store.set({ tint: select.value as Tint, paths: true }),
    }, ...app.tints().map((value) => make('option', { value }, TINTS[value])));
    select.value = tint;
    return make('li', {}, make('label', {}, 'paths show ', select));
  }

  private rampRow(low: string, high: string): HTMLElement {
    return make('li', {}, low, make('i', { class: 'ramp', style: `background:${RAMP_CSS}` }), high);
  }

  private fillTreePanel(): void {
    const { app } = this;
    const slider = make('input', {
      type: 'range', min: '0', max: '1', step: 'any', 'aria-label': 'How far the tree has grown',
      input: () => app.store.set({ growth: Number(slider.value), growing: false }),
    });
    byId('tree-panel').append(make('span', {}, 'Tree'), slider, make('output'),
      make('button', { type: 'button', title: 'Grow it again (u)', click: () => app.grow() }, 'Grow'));
    if (app.playback.tree.reasons.length > 0 && !app.stage.flat) {
      byId('tree-panel').append(make('details', { id: 'reasons', open: window.innerWidth >= 1000 && window.innerHeight >= 700 },
        make('summary', {}, 'Why branches ended'), make('ul', {}, ...this.reasonRows()), make('small', {}, this.deadText())));
    }
  }

  fillCards(): void {
    const { world, other, body, mode } = this.app.store.state;
    const cards: HTMLElement[] = [];
    if (mode === 'stage' && this.app.playback.worlds.length > 1) {
      cards.push(...[world, ...(other === null ? [] : [other])].map((w, i) => this.card(w, i)));
    }
    if (mode === 'stage' && other !== null) cards.push(make('div', { id: 'cut' }));
    if (mode === 'stage' && body !== null) {
      cards.push(make('p', { class: 'card', id: 'selected' }, make('span'),
        iconButton('close', 'Select nothing', 'Esc', () => this.app.store.set({ body: null }))));
    }
    if (mode === 'stage' && this.app.store.state.end !== null) {
      cards.push(make('p', { class: 'card', id: 'why', role: 'status' }, make('span', {}, this.app.stage.tree.ends.describe(this.app.store.state.end)),
        iconButton('close', 'Select no branch', 'Esc', () => this.app.store.set({ end: null }))));
    }
    rebuild(byId('cards'), ...cards);
    this.describeSelected();
    this.placeCards();
  }

  // place: 0 for the current world, 1 for the one beside it.
  private card(index: number, place: number): HTMLElement {
    const { app } = this;
    const { title, score } = app.playback.worlds[index];
    const rank = app.gallery.chosen.indexOf(index) + 1;
    const move = (step: number) => () => (place === 0 ? app.otherWorld(step) : app.moveOther(step));
    const key = (name: string) => (place === 0 ? name : '');
    const keep = iconButton('keep', 'Keep', key('m'), () => app.keep(index));
    press(keep, app.store.state.kept.has(index));
    const facts = make('span', {}, make('strong', {}, title || `world ${index + 1}`), ' ',
      make('small', {}, `${+score.toPrecision(4)} · ${rank || '–'} of ${app.gallery.chosen.length}`));
    return make('div', { class: 'card world' },
      iconButton('left', 'Previous world', key('k'), move(-1)), facts,
      iconButton('right', 'Next world', key('j'), move(1)), keep);
  }

  // Each world's card lies in the corner of its own rectangle, and a line between two of them.
  placeCards(): void {
    const frames = this.app.frames(), [first] = frames;
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

  describeSelected(): void {
    const { body, world, seconds } = this.app.store.state;
    const text = byId('cards').querySelector('#selected span');
    if (text && body !== null) text.textContent = this.app.stage.describe(body, world, seconds);
  }
}
