// Tactics as graphs: Skills in a ring, arrows between them, the active one lit.

import { hue } from './colors';
import { byId, make, rebuild } from './dom';
import type { Playback, Tactic, World } from './playback';
import type { Store } from './store';

const SVG = 'http://www.w3.org/2000/svg';
const BOX = { width: 84, height: 26 };

function svg(tag: string, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

interface Spot {
  x: number;
  y: number;
}

// A flat ring, the first Skill at the left.
function spots(count: number): { spots: Spot[]; width: number; height: number } {
  if (count === 1) return { spots: [{ x: 60, y: 30 }], width: 120, height: 60 };
  const rx = Math.max(64, 34 * count), ry = count < 3 ? 0 : 52;
  const width = 2 * rx + BOX.width + 12, height = 2 * ry + BOX.height + 32;
  return {
    width, height,
    spots: Array.from({ length: count }, (_, i) => {
      const angle = Math.PI + (2 * Math.PI * i) / count;
      return { x: width / 2 + rx * Math.cos(angle), y: height / 2 + 6 + ry * Math.sin(angle) };
    }),
  };
}

function edge(from: Spot, to: Spot): Spot {
  const dx = to.x - from.x, dy = to.y - from.y;
  const share = Math.min(1, (BOX.width / 2 + 2) / Math.max(Math.abs(dx), 1e-6), (BOX.height / 2 + 2) / Math.max(Math.abs(dy), 1e-6));
  return { x: from.x + dx * share, y: from.y + dy * share };
}

function arrow(a: Spot, b: Spot): SVGElement {
  if (a === b) {
    return svg('path', { d: `M${a.x - 8} ${a.y - BOX.height / 2} c-16 -20 32 -20 16 -1`, class: 'way', 'marker-end': 'url(#tip-of-way)' });
  }
  const bend = { x: (a.x + b.x) / 2 - 0.14 * (b.y - a.y), y: (a.y + b.y) / 2 + 0.14 * (b.x - a.x) };
  const from = edge(a, bend), to = edge(b, bend);
  return svg('path', { d: `M${from.x} ${from.y} Q${bend.x} ${bend.y} ${to.x} ${to.y}`, class: 'way', 'marker-end': 'url(#tip-of-way)' });
}

export class Tactics {
  private boxes: { row: string; skill: string; element: SVGElement }[] = [];
  private lit = '';

  constructor(private playback: Playback, private store: Store) {
    const marker = svg('svg', { width: 0, height: 0, 'aria-hidden': 'true' }, svg('defs', {},
      svg('marker', { id: 'tip-of-way', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 6, markerHeight: 6, orient: 'auto' },
        svg('path', { d: 'M0 0L8 4L0 8z', class: 'tip' }))));
    // Rich Tactics first: those of one Skill say little.
    const sorted = [...playback.tactics].sort((a, b) => b.skills.length - a.skills.length);
    rebuild(byId('tactics'), marker, ...sorted.map((tactic) => this.figure(tactic)));
  }

  private figure(tactic: Tactic): HTMLElement {
    const { spots: places, width, height } = spots(tactic.skills.length);
    const drawing = svg('svg', {
      viewBox: `0 0 ${width} ${height}`, width, height, role: 'img',
      'aria-label': `${tactic.name}: ${tactic.ways.map(([a, b]) => `${tactic.skills[a]} to ${tactic.skills[b]}`).join(', ') || tactic.skills[0]}`,
    }, ...tactic.ways.map(([a, b]) => arrow(places[a], places[b])));
    tactic.skills.forEach((skill, i) => {
      const { x, y } = places[i];
      const text = skill.length > 13 ? `${skill.slice(0, 12)}…` : skill;
      const element = svg('g', { class: 'skill', style: `--hue:${hue(skill)}` },
        svg('rect', { x: x - BOX.width / 2, y: y - BOX.height / 2, width: BOX.width, height: BOX.height, rx: 8 }),
        svg('text', { x, y: y + 4, 'text-anchor': 'middle' }, text), svg('title', {}, skill));
      if (i === tactic.start) element.classList.add('start');
      this.boxes.push({ row: tactic.name, skill, element });
      drawing.append(element);
    });
    const owner = this.playback.bodies[tactic.body]?.name ?? '';
    return make('figure', {}, make('figcaption', {}, make('strong', {}, tactic.name), ` · ${owner}`), drawing);
  }

  // Which Skill each Tactic is in, as the last span that has begun says.
  active(world: World, frame: number): Map<string, string> {
    const now = new Map<string, string>();
    for (const { row, label, from } of world.spans) if (from <= frame + 1e-9) now.set(row, label);
    return now;
  }

  draw(): void {
    if (byId('tactics').hidden) return;
    const { world, seconds } = this.store.state;
    const now = this.active(this.playback.worlds[world], seconds / this.playback.frameSeconds);
    const key = [...now].join('|');
    if (key === this.lit) return;
    this.lit = key;
    for (const { row, skill, element } of this.boxes) element.classList.toggle('lit', now.get(row) === skill);
  }
}
