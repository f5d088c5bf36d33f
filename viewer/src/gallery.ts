// Many-worlds browsing: small animated worlds, filtered and sorted.

import { byId, icon, make, press, rebuild } from './dom';
import { choose, ruleText, type Rule, type Sort } from './filters';
import { duration, type Playback } from './playback';
import type { Frame } from './stage';
import type { Store } from './store';

export interface GalleryActions {
  open(world: number): void;
  beside(world: number): void;
  keep(world: number): void;
  drawBox(who: number | null, kind: 'passes' | 'misses'): void;
  save(): void;
}

const VERBS = [
  ['touches', 'touches'], ['avoids', 'never touches'],
  ['passes', 'passes through here …'], ['misses', 'never passes through here …'],
] as const;

export class Gallery {
  chosen: number[];
  private element = byId('gallery');
  private tiles = byId('tiles');
  private shots = new Map<number, HTMLElement>();
  private chips = make('ul', { id: 'chips' });
  private count = make('output', { id: 'count' });
  private saveButton: HTMLButtonElement;
  private who: HTMLSelectElement;
  private verb: HTMLSelectElement;
  private what: HTMLSelectElement;

  constructor(private playback: Playback, private store: Store, private actions: GalleryActions) {
    this.chosen = choose(playback, [], 'score');
    const bodies = playback.bodies.map(({ name }, i) => [String(i), name || `body ${i}`] as const);
    const movers = bodies.filter((_, i) => playback.bodies[i].track >= 0);
    this.who = this.select('Who', [['', 'anything'], ...movers]);
    this.verb = this.select('Does what', VERBS);
    // Touches of planes are no contacts: nobody would be found to touch one.
    const solid = bodies.filter((_, i) => playback.bodies[i].parts.every(({ kind }) => kind !== 'plane'));
    this.what = this.select('To what', solid);
    this.verb.addEventListener('change', () => {
      this.what.hidden = this.verb.value === 'passes' || this.verb.value === 'misses';
    });
    const sort = this.select('Sort by', [['score', 'best score first'], ['time', 'shortest first'],
      ['contacts', 'fewest contacts first'], ['length', 'shortest paths first']]);
    sort.id = 'sort';
    sort.addEventListener('change', () => store.set({ sort: sort.value as Sort }));
    this.saveButton = make('button', { type: 'button', id: 'save', click: () => actions.save() },
      icon('save'), 'Save kept as a page');
    byId('filters').append(
      make('form', { id: 'rule', submit: (event) => this.add(event) }, 'Worlds where ', this.who,
        this.verb, this.what, make('button', { type: 'submit', class: 'solid' }, 'Add')),
      this.chips, make('div', { id: 'row' }, this.count, sort, this.saveButton));
    this.refresh();
  }

  private select(label: string, options: readonly (readonly [string, string])[]): HTMLSelectElement {
    return make('select', { 'aria-label': label },
      ...options.map(([value, text]) => make('option', { value }, text)));
  }

  private add(event: Event): void {
    event.preventDefault();
    const who = this.who.value === '' ? null : Number(this.who.value);
    const kind = this.verb.value as Rule['kind'];
    if (kind === 'passes' || kind === 'misses') {
      this.actions.drawBox(who, kind);
    } else {
      this.addRule({ kind, who, what: Number(this.what.value) });
    }
  }

  addRule(rule: Rule): void {
    this.store.set({ rules: [...this.store.state.rules, rule] });
  }

  focusFilter(): void {
    this.who.focus();
  }

  // Make the tiles and chips again, after rules, order or kept worlds changed.
  refresh(): void {
    const { rules, sort, kept } = this.store.state;
    this.chosen = choose(this.playback, rules, sort);
    const total = this.playback.worlds.length;
    this.count.textContent = `${this.chosen.length} of ${total} worlds`
      + (kept.size > 0 ? ` · ${kept.size} kept` : '');
    this.saveButton.disabled = kept.size === 0;
    rebuild(this.chips, ...rules.map((rule, i) => make('li', {}, ruleText(this.playback, rule),
      make('button', {
        type: 'button', class: 'icon', 'aria-label': `Remove the filter ${ruleText(this.playback, rule)}`,
        click: () => this.store.set({ rules: rules.filter((_, k) => k !== i) }),
      }, icon('close')))));
    this.shots.clear();
    rebuild(this.tiles, ...this.chosen.map((index) => this.tile(index)));
    byId('none').hidden = this.chosen.length > 0;
  }

  private tile(index: number): HTMLElement {
    const world = this.playback.worlds[index];
    const shot = make('button', {
      type: 'button', class: 'shot', 'aria-label': `Open ${world.title}`, click: () => this.actions.open(index),
    });
    this.shots.set(index, shot);
    const keep = make('button', {
      type: 'button', class: 'icon', title: 'Keep', 'aria-label': `Keep ${world.title}`,
      click: () => this.actions.keep(index),
    }, icon('keep'));
    press(keep, this.store.state.kept.has(index));
    const beside = make('button', {
      type: 'button', class: 'icon', title: 'Beside the current world',
      'aria-label': `Show ${world.title} beside the current world`, click: () => this.actions.beside(index),
    }, icon('beside'));
    const meetings = world.meetings.length;
    const facts = `${+world.score.toPrecision(4)} · ${duration(this.playback, world).toFixed(1)} s · `
      + `${meetings} contact${meetings === 1 ? '' : 's'}`;
    const item = make('li', { class: 'tile' }, shot,
      make('div', { class: 'label' }, make('strong', {}, world.title || `world ${index + 1}`),
        make('span', {}, facts)), beside, keep);
    item.toggleAttribute('data-current', index === this.store.state.world);
    return item;
  }

  // The tiles that can be seen, below the filters and above the dock.
  frames(): Frame[] {
    const area = this.element.getBoundingClientRect();
    const top = byId('filters').getBoundingClientRect().bottom;
    return [...this.shots].map(([world, shot]) => ({ world, rect: shot.getBoundingClientRect() }))
      .filter(({ rect }) => rect.bottom > top && rect.top < area.bottom && rect.width > 0);
  }
}
