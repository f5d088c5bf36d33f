// What happens, in words and numbers: laps, Skills, contacts. For those who do not see the picture,
// for pages without WebGL, and for copying. Times and digits are those of `carom replay --events`.

import { byId, make, rebuild } from './dom';
import { duration, lapsOf, type Playback, type World } from './playback';

const MOST = 300; // rows of a table; a page of 400 bodies has many thousand contacts

type Row = { at: number; cells: string[] };

export class Tables {
  private shown: World | null = null;

  constructor(private playback: Playback, private seek: (seconds: number) => void) {}

  show(world: World): void {
    if (byId('tables').hidden || this.shown === world) return;
    this.shown = world;
    rebuild(byId('tables'), this.facts(world), ...this.laps(world), ...this.events(world));
  }

  private facts(world: World): HTMLElement {
    const bodies = this.playback.bodies.length, moving = this.playback.tracks;
    return make('p', {}, `${world.title || 'world'}: ${duration(this.playback, world).toFixed(3)} s, `
      + `${bodies} bodies of which ${moving} move, ${world.meetings.length} contacts, score ${+world.score.toPrecision(4)}.`);
  }

  private table(title: string, head: string[], rows: Row[]): HTMLElement {
    const body = rows.slice(0, MOST).map(({ at, cells }) => make('tr', {}, make('th', { scope: 'row' },
      make('button', { type: 'button', 'aria-label': `Go to ${at.toFixed(3)} s`, click: () => this.seek(at) }, at.toFixed(3))),
    ...cells.map((cell) => make('td', {}, cell))));
    const more = rows.length > MOST ? ` (the first ${MOST} of ${rows.length})` : '';
    return make('table', {}, make('caption', {}, title + more),
      make('thead', {}, make('tr', {}, ...head.map((name) => make('th', { scope: 'col' }, name)))),
      make('tbody', {}, ...body));
  }

  private laps(world: World): HTMLElement[] {
    const laps = lapsOf(this.playback, world);
    if (laps.length === 0) return [];
    const best = Math.min(...laps.map(({ from, to }) => to - from));
    return [this.table('Laps', ['from, s', 'lap', 'time, s', 'sector 1', 'sector 2', 'sector 3', 'behind the best'],
      laps.map(({ from, to, sectors }, i) => ({
        at: from,
        cells: [String(i + 1), (to - from).toFixed(2), ...sectors.map((s) => s.toFixed(2)),
          to - from === best ? '–' : `+${(to - from - best).toFixed(2)}`],
      })))];
  }

  private events(world: World): HTMLElement[] {
    const { frameSeconds, bodies } = this.playback;
    const name = (body: number) => bodies[body].name || `body ${body}`;
    const skills = world.spans.map(({ row, label, from, to }) => (
      { at: from * frameSeconds, cells: [row, label, (to * frameSeconds).toFixed(3)] }));
    const contacts = world.meetings.map(({ a, b, from, point, impulse }) => ({
      at: from * frameSeconds,
      cells: [name(a), name(b), point.map((v) => v.toFixed(3)).join(', '), impulse.toFixed(4)],
    }));
    return [
      ...(skills.length > 0 ? [this.table('Skills', ['from, s', 'Tactic', 'Skill', 'to, s'], skills)] : []),
      ...(contacts.length > 0 ? [this.table('Contacts', ['at, s', 'body', 'touches', 'at, m', 'impulse, N s'], contacts)] : []),
    ];
  }
}
