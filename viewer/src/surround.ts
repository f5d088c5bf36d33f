// What stands around the scene: the bar above it, and the cards on it.

import type { App } from './app';
import { byId, iconButton, make, press, rebuild } from './dom';

export class Surround {
  private buttons: Record<string, HTMLButtonElement> = {};

  constructor(private app: App) {
    this.fillBar();
    this.fillTreePanel();
  }

  private fillBar(): void {
    const { app } = this;
    const { title, about, worlds, tree } = app.playback;
    byId('names').querySelector('h1')!.textContent = title || 'carom';
    byId('names').querySelector('p')!.textContent = about;
    const flip = (key: 'top' | 'paths') => () => app.store.set({ [key]: !app.store.state[key] });
    if (worlds.length > 1) {
      this.addButton('worlds', 'Worlds', 'g', () => app.toggleGallery());
      this.addButton('beside', 'Side by side', 'c', () => app.toggleBeside());
    }
    this.addButton('top', 'Top view', 't', flip('top'));
    this.addButton('paths', 'Paths', 'p', flip('paths'));
    if (tree.count > 0) this.addButton('tree', 'Search tree', 'n', () => app.toggleTree());
    this.addButton('theme', 'Dark or light', 'y', () => app.toggleTheme());
    this.addButton('help', 'Keys', '?', () => app.help());
  }

  private addButton(id: string, label: string, key: string, click: () => void): void {
    this.buttons[id] = iconButton(id, label, key, click);
    byId('tools').append(this.buttons[id]);
  }

  pressButtons(): void {
    const { top, paths, tree, mode, other, growth } = this.app.store.state;
    const pressed = { top, paths, tree, worlds: mode === 'gallery', beside: other !== null };
    for (const [id, value] of Object.entries(pressed)) {
      if (this.buttons[id]) press(this.buttons[id], value);
    }
    const panel = byId('tree-panel');
    panel.hidden = !tree || mode !== 'stage';
    panel.querySelector('input')!.value = String(growth);
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

  private fillTreePanel(): void {
    const { app } = this;
    const slider = make('input', {
      type: 'range', min: '0', max: '1', step: 'any', 'aria-label': 'How far the tree has grown',
      input: () => app.store.set({ growth: Number(slider.value), growing: false }),
    });
    byId('tree-panel').append(make('span', {}, 'Tree'), slider, make('output'),
      make('button', { type: 'button', title: 'Grow it again (u)', click: () => app.grow() }, 'Grow'));
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
