// Graphs, one below the other: speeds, channels, joints, what a lap gains or loses. They go over
// time or over the way gone; a second world is drawn dashed on the same axes.

import { leadBody } from './action';
import { byId, cssColor, hex, make, press } from './dom';
import { lapsOf, OFF_PLAN, type Playback, type World } from './playback';
import type { Store } from './store';
import { Strip } from './strip';

const HEIGHT = 92;
const MANY = 8; // more moving bodies than this: only the selected one's speed
const TOGETHER = 3; // so many channels of one unit share a graph: the joints of an arm
const PALETTE = ['#d1495b', '#2e86ab', '#e58f29', '#3f9e6b', '#8e5bb5', '#8a6d3b', '#3fa7a0', '#b5548f', '#6b7f2a'];

interface Curve {
  color: string;
  name: string;
  world: World;
  values: Float32Array;
}

interface Graph {
  title: string;
  curves: Curve[];
  low: number;
  high: number;
}

function speeds(world: World, track: number): Float32Array {
  const [x, y, z] = world.velocity!;
  const start = track * world.frames;
  return Float32Array.from({ length: world.frames },
    (_, f) => Math.hypot(x[start + f], y[start + f], z[start + f]));
}

// Bodies that look alike get colours of their own.
function apart(curves: Curve[]): Curve[] {
  const seen = new Map<string, string>(); // of each colour, who has it
  return curves.map((curve, i) => {
    const owner = seen.get(curve.color) ?? curve.name;
    seen.set(curve.color, owner);
    return owner === curve.name ? curve : { ...curve, color: PALETTE[i % PALETTE.length] };
  });
}

function withRange(title: string, curves: Curve[]): Graph {
  let low = Infinity, high = -Infinity;
  for (const { values } of curves) {
    for (const value of values) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  if (!(high > low)) [low, high] = [Math.min(low, 0) || 0, Math.max(high, 1) || 1];
  return { title, curves, low: Math.min(low, 0), high };
}

// Metres gone at each frame: along the road where there is one, else of the body that the picture is
// about.
function gone(playback: Playback, world: World, selected: number | null): Float32Array {
  const along = world.channels.find(({ name }) => name === 'along')?.values;
  const way = new Float32Array(world.frames);
  if (along) {
    for (let f = 1; f < way.length; f++) way[f] = Math.max(way[f - 1], along[f] - along[0]);
    return way;
  }
  const body = leadBody(playback, selected);
  if (body === null) return way;
  const [x, y, z] = world.motion, start = playback.bodies[body].track * world.frames;
  for (let f = 1; f < way.length; f++) {
    const b = start + f, a = b - 1;
    way[f] = way[f - 1] + Math.hypot(x[b] - x[a], y[b] - y[a], z[b] - z[a]);
  }
  return way;
}

// The frame, which may lie between two, at which a growing column reaches a value.
function reaches(values: Float32Array, value: number): number {
  let low = 0, high = values.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (values[middle] < value) low = middle;
    else high = middle;
  }
  const step = values[high] - values[low];
  return low + (step > 0 ? Math.min(Math.max((value - values[low]) / step, 0), 1) : 0);
}

export class Graphs extends Strip {
  private graphs: Graph[] = [];
  private ways = new Map<World, Float32Array>();
  private axes: Record<'time' | 'distance', HTMLButtonElement>;
  private tools: HTMLElement;
  private far = 1; // end of the axis, in seconds or metres
  private told = -1; // the frame whose numbers stand in the legends

  constructor(playback: Playback, store: Store, seek: (seconds: number) => void) {
    super('graphs', 56, playback, store, seek);
    const button = (axis: 'time' | 'distance', text: string) => make('button', {
      type: 'button', title: 'Over time or way (=)', click: () => store.set({ axis }),
    }, text);
    this.axes = { time: button('time', 'over time'), distance: button('distance', 'over way') };
    byId('panels').append(this.tools = make('div', { class: 'panel-tools', role: 'group', 'aria-label': 'Axis of the graphs' },
      this.axes.time, this.axes.distance));
    this.show(this.world);
  }

  private get overWay(): boolean {
    return this.store.state.axis === 'distance';
  }

  // ----------------------------------------------------------------------------------------
  // What is shown.

  show(world: World): void {
    const { body, other } = this.store.state;
    this.world = world;
    const worlds = [world, ...(other === null || other === world.index ? [] : [this.playback.worlds[other]])];
    this.ways = new Map(worlds.map((each) => [each, gone(this.playback, each, body)]));
    this.far = Math.max(1e-9, ...worlds.map((each) => (this.overWay ? this.ways.get(each)!.at(-1)!
      : (each.frames - 1) * this.playback.frameSeconds)));
    this.graphs = [...this.offGraphs(), ...this.speedGraphs(worlds), ...this.deltaGraphs(worlds), ...this.channelGraphs(worlds)];
    this.tools.hidden = this.store.state.panel !== 'graphs';
    for (const axis of ['time', 'distance'] as const) press(this.axes[axis], this.store.state.axis === axis);
    this.stale();
    this.draw();
  }

  private speedGraphs(worlds: World[]): Graph[] {
    const { body } = this.store.state;
    const selected = body === null ? -1 : this.playback.bodies[body].track;
    const all = [...this.playback.moving.keys()];
    const tracks = selected >= 0 ? [selected] : all.slice(0, all.length <= MANY ? MANY : 1);
    if (!this.world.velocity || tracks.length === 0) return [];
    return [withRange('speed, m/s', worlds.filter(({ velocity }) => velocity).flatMap((world) => apart(tracks.map((track) => {
      const { name, color } = this.playback.bodies[this.playback.moving[track]];
      return { name, color: hex(color), world, values: speeds(world, track) };
    }))))];
  }

  // What has a speed is not shown twice; the way along is an axis.
  private channelGraphs(worlds: World[]): Graph[] {
    const shown = this.world.channels.filter(({ name, unit }) => !(name === 'along' && unit === 'm') && !name.startsWith(OFF_PLAN)
      && !(this.world.velocity && name === 'speed' && unit === 'm/s'));
    const units = [...new Set(shown.map(({ unit }) => unit))];
    const together = units.filter((unit) => ['rad', 'm'].includes(unit)
      && shown.filter((channel) => channel.unit === unit).length >= TOGETHER);
    const joints = together.map((unit) => withRange(`joints, ${unit}`, shown.filter((channel) => channel.unit === unit)
      .map(({ name, values }, i) => ({ name, values, world: this.world, color: PALETTE[i % PALETTE.length] }))));
    const single = shown.filter(({ unit }) => !together.includes(unit)).map(({ name, unit }) => {
      const curves = worlds.flatMap((world) => world.channels.filter((channel) => channel.name === name)
        .map(({ values }) => ({ name, color: cssColor('--accent'), world, values })));
      return withRange(unit ? `${name}, ${unit}` : name, curves);
    });
    return [...joints, ...single];
  }

  // How far bodies are from where the plan of the moment has them; of many, those that are farthest.
  private offGraphs(): Graph[] {
    const farthest = (values: Float32Array) => values.reduce((most, value) => Math.max(most, value || 0), 0);
    const { body } = this.store.state, selected = body === null ? '' : OFF_PLAN + this.playback.bodies[body].name;
    const all = this.world.channels.filter(({ name }) => name.startsWith(OFF_PLAN));
    const most = new Set([...all].sort((a, b) => farthest(b.values) - farthest(a.values)).slice(0, MANY));
    const shown = all.filter((channel) => (all.some(({ name }) => name === selected) ? channel.name === selected : most.has(channel)));
    const curves = shown.map(({ name, values }): Curve => {
      const short = name.slice(OFF_PLAN.length);
      return { name: short, values, world: this.world, color: hex(this.playback.bodies.find((each) => each.name === short)?.color ?? 0x888888) };
    });
    return curves.length > 0 ? [withRange('off the plan, m', apart(curves))] : [];
  }

  // Seconds behind: the other world at the same place, or the best lap.
  private deltaGraphs(worlds: World[]): Graph[] {
    const seconds = this.playback.frameSeconds;
    const own = this.ways.get(this.world)!;
    if (worlds.length > 1 && this.overWay) {
      const theirs = this.ways.get(worlds[1])!, end = theirs.at(-1)!;
      const values = Float32Array.from(own, (way, f) => (way > end ? NaN : (f - reaches(theirs, way)) * seconds));
      return [withRange('behind the other, s', [{ name: 'delta', color: cssColor('--accent'), world: this.world, values }])];
    }
    const laps = lapsOf(this.playback, this.world);
    if (laps.length < 2) return [];
    const best = laps.reduce((a, b) => (b.to - b.from < a.to - a.from ? b : a));
    const length = this.playback.marks.find(({ kind }) => kind === 'road')!.size[0];
    const start = this.world.channels.find(({ name }) => name === 'along')!.values[0];
    const values = Float32Array.from(own, (way, f) => {
      const lap = laps.findIndex(({ to }) => f * seconds < to);
      if (lap < 0) return NaN;
      const there = reaches(own, way + (laps.indexOf(best) - lap) * length) * seconds;
      return start + way < 0 ? NaN : (f * seconds - laps[lap].from) - (there - best.from);
    });
    return [withRange('behind the best lap, s', [{ name: 'delta', color: cssColor('--accent'), world: this.world, values }])];
  }

  get count(): number {
    return this.graphs.length;
  }

  get titles(): string[] {
    return this.graphs.map(({ title }) => title);
  }

  // ----------------------------------------------------------------------------------------
  // Drawing.

  private at(world: World, frame: number): number {
    if (!this.overWay) return frame * this.playback.frameSeconds;
    const way = this.ways.get(world)!, first = Math.min(Math.floor(frame), way.length - 1);
    const next = Math.min(first + 1, way.length - 1);
    return way[first] + (frame - first) * (way[next] - way[first]);
  }

  private place(world: World, frame: number): number {
    return this.left + (this.at(world, frame) / this.far) * (this.right - this.left);
  }

  protected override frameAt(clientX: number): number {
    const x = clientX - this.canvas.getBoundingClientRect().x;
    const share = Math.min(Math.max((x - this.left) / Math.max(this.right - this.left, 1), 0), 1);
    const frame = this.overWay ? reaches(this.ways.get(this.world)!, share * this.far)
      : (share * this.far) / this.playback.frameSeconds;
    return Math.min(Math.round(frame), this.world.frames - 1);
  }

  protected get height(): number {
    return this.graphs.length * HEIGHT;
  }

  // The graphs that are seen, and their tops.
  private seen(): [Graph, number][] {
    return this.graphs.map((graph, i): [Graph, number] => [graph, i * HEIGHT - this.scrolled])
      .filter(([, y]) => y > -HEIGHT && y < this.tall);
  }

  protected paint(context: CanvasRenderingContext2D): void {
    if (this.graphs.length === 0) {
      context.fillStyle = cssColor('--quiet');
      context.fillText('This playback has neither velocities nor channels.', 16, 24);
    }
    for (const [graph, y] of this.seen()) this.drawGraph(context, graph, y);
    this.told = -1;
  }

  protected paintNow(context: CanvasRenderingContext2D): number {
    const frame = this.frame(), near = Math.round(frame);
    if (near !== this.told) {
      for (const [graph, y] of this.seen()) this.drawLegend(context, graph, y);
      this.told = near;
    }
    return this.place(this.world, frame);
  }

  private drawGraph(context: CanvasRenderingContext2D, graph: Graph, top: number): void {
    const [high, low] = [top + 24, top + HEIGHT - 8];
    const y = (value: number) => low - ((value - graph.low) / (graph.high - graph.low)) * (low - high);
    context.strokeStyle = cssColor('--line');
    context.lineWidth = 1;
    for (const value of new Set([graph.low, 0, graph.high])) {
      context.beginPath();
      context.moveTo(this.left, y(value));
      context.lineTo(this.right, y(value));
      context.stroke();
      context.fillStyle = cssColor('--quiet');
      context.textAlign = 'right';
      if (value !== 0 || graph.low === 0) context.fillText(`${+value.toPrecision(3)}`, this.left - 8, y(value) + 4);
    }
    for (const curve of graph.curves) this.drawCurve(context, curve, y);
  }

  private drawCurve(context: CanvasRenderingContext2D, { values, color, world }: Curve, y: (value: number) => number): void {
    context.strokeStyle = color;
    context.lineWidth = 1.6;
    context.lineJoin = 'round';
    context.setLineDash(world === this.world ? [] : [5, 4]);
    context.beginPath();
    let pen = false;
    // A pixel shows one number: of long curves every so many frames are enough.
    const step = Math.max(1, Math.floor(values.length / (2 * Math.max(this.width, 1))));
    for (let f = 0; f < values.length; f += step) {
      const value = values[f];
      // A number that is missing leaves a gap.
      if (Number.isNaN(value)) pen = false;
      else if (pen) context.lineTo(this.place(world, f), y(value));
      else context.moveTo(this.place(world, f), y(value));
      pen = !Number.isNaN(value);
    }
    context.stroke();
    context.setLineDash([]);
  }

  // The title and the numbers of now, in a band above the curves.
  private drawLegend(context: CanvasRenderingContext2D, graph: Graph, top: number): void {
    const y = top + 15;
    context.clearRect(this.left, top + 1, this.width - this.left, 21);
    context.textAlign = 'left';
    context.fillStyle = cssColor('--quiet');
    context.fillText(graph.title, this.left, y);
    let x = this.left + context.measureText(graph.title).width + 20;
    const digits = graph.high < 0.1 ? 4 : graph.high < 1 ? 3 : 2;
    for (const { name, color, world, values } of graph.curves) {
      const frame = Math.min(Math.round(this.frame()), values.length - 1);
      const label = graph.curves.length > 1 ? `${name}${world === this.world ? '' : `, ${world.title}`} ` : '';
      const text = `${label}${Number.isFinite(values[frame]) ? values[frame].toFixed(digits) : ''}`;
      const wide = context.measureText(text).width;
      if (x + wide > this.width - 130) break;
      context.fillStyle = color;
      context.strokeStyle = cssColor('--quiet'); // a white body's, too, is seen on paper
      context.lineWidth = 0.8;
      context.beginPath();
      context.arc(x, y - 4, 3.5, 0, 2 * Math.PI);
      context.fill();
      context.stroke();
      context.fillStyle = cssColor('--ink');
      context.fillText(text, x + 8, y);
      x += wide + 24;
    }
  }

  pick(clientX: number, clientY: number): string | null {
    const rect = this.canvas.getBoundingClientRect();
    const graph = this.graphs[Math.floor((clientY - rect.y + this.element.scrollTop) / HEIGHT)];
    if (!graph) return null;
    const frame = this.frameAt(clientX);
    const values = graph.curves.filter(({ world }) => world === this.world)
      .map(({ name, values: v }) => `${name} ${v[frame].toFixed(3)}`);
    const place = this.overWay ? ` · ${this.at(this.world, frame).toFixed(1)} m` : '';
    return `${(frame * this.playback.frameSeconds).toFixed(2)} s${place} · ${values.join(' · ')}`;
  }
}
