// The time line: a row of Skills for each Tactic, a row of contacts for each pair.

import { hue } from './colors';
import { cssColor } from './dom';
import type { Meeting, Playback, Span, World } from './playback';
import type { Store } from './store';
import { Strip } from './strip';

const ROW = 22;
const AXIS = 20;
const PAIRS = 24; // pairs beyond this many share the last row

interface Row {
  name: string;
  spans: Span[];
  meetings: Meeting[];
}

function makeRows(playback: Playback, world: World): Row[] {
  const rows = new Map<string, Row>();
  for (const span of world.spans) {
    const row = rows.get(`s ${span.row}`) ?? { name: span.row, spans: [], meetings: [] };
    row.spans.push(span);
    rows.set(`s ${span.row}`, row);
  }
  const name = (body: number) => playback.bodies[body].name || `body ${body}`;
  const rest: Row = { name: 'more contacts', spans: [], meetings: [] };
  let pairs = 0;
  for (const meeting of world.meetings) {
    const [a, b] = meeting.a < meeting.b ? [meeting.a, meeting.b] : [meeting.b, meeting.a];
    const key = `c ${a} ${b}`;
    let row = rows.get(key);
    if (!row && pairs < PAIRS) {
      pairs++;
      row = { name: `${name(meeting.a)} × ${name(meeting.b)}`, spans: [], meetings: [] };
      rows.set(key, row);
    }
    (row ?? rest).meetings.push(meeting);
  }
  return [...rows.values(), ...(rest.meetings.length > 0 ? [rest] : [])];
}

export interface TimeHit {
  text: string;
  seconds: number;
}

export class Timeline extends Strip {
  private rows: Row[] = [];

  constructor(playback: Playback, store: Store, seek: (seconds: number) => void) {
    super('timeline', 120, playback, store, seek);
    this.show(this.world);
  }

  show(world: World): void {
    this.world = world;
    this.rows = makeRows(this.playback, world);
    this.stale();
    this.draw();
  }

  protected get height(): number {
    return AXIS + this.rows.length * ROW;
  }

  protected paint(context: CanvasRenderingContext2D): void {
    this.left = Math.min(this.width * 0.28, 170);
    context.textBaseline = 'middle';
    this.rows.forEach((row, i) => this.drawRow(context, row, AXIS + i * ROW - this.scrolled));
    this.drawAxis(context);
  }

  protected paintNow(): number {
    return this.x(this.frame());
  }

  private drawAxis(context: CanvasRenderingContext2D): void {
    context.fillStyle = cssColor('--panel');
    context.fillRect(0, 0, this.width, AXIS);
    context.fillStyle = cssColor('--quiet');
    const seconds = (this.world.frames - 1) * this.playback.frameSeconds;
    const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60];
    const step = steps.find((s) => seconds / s <= (this.width - this.left) / 60) ?? 120;
    context.textAlign = 'center';
    for (let i = 0; i * step <= seconds + 1e-9; i++) {
      const x = this.x((i * step) / this.playback.frameSeconds);
      const last = (i + 1) * step > seconds;
      context.fillText(`${+(i * step).toFixed(1)}${last ? ' s' : ''}`, x, AXIS / 2);
    }
    context.textAlign = 'left';
  }

  private drawRow(context: CanvasRenderingContext2D, row: Row, y: number): void {
    if (y < -ROW || y > this.tall) return;
    const dark = this.store.state.theme === 'dark';
    context.fillStyle = cssColor('--quiet');
    this.clipped(context, row.name, 12, y + ROW / 2, this.left - 20);
    for (const span of row.spans) {
      const x = this.x(span.from), width = Math.max(this.x(span.to) - x - 1.5, 1.5);
      context.fillStyle = `hsl(${hue(span.label)} ${dark ? '32% 34%' : '42% 82%'})`;
      context.beginPath();
      context.roundRect(x, y + 3, width, ROW - 6, 4);
      context.fill();
      context.fillStyle = `hsl(${hue(span.label)} 30% ${dark ? 90 : 22}%)`;
      if (width > 24) this.clipped(context, span.label, x + 6, y + ROW / 2, width - 8);
    }
    context.fillStyle = cssColor('--accent');
    for (const meeting of row.meetings) {
      context.beginPath();
      context.roundRect(this.x(meeting.from) - 2, y + 5, 4, ROW - 10, 2);
      context.fill();
    }
  }

  private clipped(context: CanvasRenderingContext2D, text: string, x: number, y: number, width: number): void {
    context.save();
    context.beginPath();
    context.rect(x, y - ROW, width, 2 * ROW);
    context.clip();
    context.fillText(text, x, y);
    context.restore();
  }

  pick(clientX: number, clientY: number): TimeHit | null {
    const rect = this.canvas.getBoundingClientRect();
    const x = clientX - rect.x, y = clientY - rect.y - AXIS + this.element.scrollTop;
    const row = clientY - rect.y < AXIS ? undefined : this.rows[Math.floor(y / ROW)];
    if (!row) return null;
    const time = (frame: number) => (frame * this.playback.frameSeconds).toFixed(2);
    const meeting = row.meetings.find((m) => Math.abs(x - this.x(m.from)) <= 4);
    if (meeting) {
      const [a, b] = [meeting.a, meeting.b].map((i) => this.playback.bodies[i].name || `body ${i}`);
      const seconds = meeting.from * this.playback.frameSeconds;
      return { text: `${a} touches ${b} at ${time(meeting.from)} s · ${meeting.impulse.toPrecision(2)} N s`, seconds };
    }
    const span = row.spans.find((s) => x >= this.x(s.from) && x < this.x(s.to));
    if (!span) return null;
    return {
      text: `${span.row}: ${span.label} · ${time(span.from)} to ${time(span.to)} s`,
      seconds: span.from * this.playback.frameSeconds,
    };
  }
}
