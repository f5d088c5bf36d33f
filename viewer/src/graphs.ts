// Velocity graphs and channels over time, one below the other.

import { cssColor, hex } from './dom';
import type { Playback, World } from './playback';
import type { Store } from './store';
import { Strip } from './strip';

const HEIGHT = 92;
const MANY = 8; // more moving bodies than this: only the selected one's speed

interface Curve {
  color: string;
  name: string;
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

export class Graphs extends Strip {
  private graphs: Graph[] = [];

  constructor(playback: Playback, store: Store, seek: (seconds: number) => void) {
    super('graphs', 56, playback, store, seek);
    this.show(this.world);
  }

  show(world: World): void {
    this.world = world;
    this.graphs = [];
    const { body } = this.store.state;
    const selected = body === null ? -1 : this.playback.bodies[body].track;
    const all = [...this.playback.moving.keys()];
    const tracks = selected >= 0 ? [selected] : all.slice(0, all.length <= MANY ? MANY : 1);
    if (world.velocity && tracks.length > 0) {
      this.graphs.push(withRange('speed, m/s', tracks.map((track) => {
        const { name, color } = this.playback.bodies[this.playback.moving[track]];
        return { name, color: hex(color), values: speeds(world, track) };
      })));
    }
    // The speed above is that of the bodies' velocities; a channel of it would say it twice.
    const more = world.channels.filter(({ name, unit }) => !(world.velocity && name === 'speed' && unit === 'm/s'));
    for (const { name, unit, values } of more) {
      const title = unit ? `${name}, ${unit}` : name;
      this.graphs.push(withRange(title, [{ name, color: cssColor('--accent'), values }]));
    }
    this.draw();
  }

  get count(): number {
    return this.graphs.length;
  }

  get titles(): string[] {
    return this.graphs.map(({ title }) => title);
  }

  draw(): void {
    const context = this.open(this.graphs.length * HEIGHT);
    if (!context) return;
    const height = this.element.clientHeight;
    if (this.graphs.length === 0) {
      context.fillStyle = cssColor('--quiet');
      context.fillText('This playback has neither velocities nor channels.', 16, 24);
    }
    this.graphs.forEach((graph, i) => {
      const y = i * HEIGHT - this.element.scrollTop;
      if (y > -HEIGHT && y < height) this.drawGraph(context, graph, y);
    });
    const x = this.x(this.frame());
    context.fillStyle = cssColor('--ink');
    context.globalAlpha = 0.6;
    context.fillRect(x - 0.5, 0, 1, height);
    context.globalAlpha = 1;
  }

  private drawGraph(context: CanvasRenderingContext2D, graph: Graph, top: number): void {
    const [high, low] = [top + 24, top + HEIGHT - 8];
    const y = (value: number) => low - ((value - graph.low) / (graph.high - graph.low)) * (low - high);
    context.strokeStyle = cssColor('--line');
    context.lineWidth = 1;
    for (const value of [graph.low, graph.high]) {
      context.beginPath();
      context.moveTo(this.left, y(value));
      context.lineTo(this.right, y(value));
      context.stroke();
      context.fillStyle = cssColor('--quiet');
      context.textAlign = 'right';
      context.fillText(`${+value.toPrecision(3)}`, this.left - 8, y(value) + 4);
    }
    context.textAlign = 'left';
    context.fillText(graph.title, this.left, top + 15);
    for (const curve of graph.curves) this.drawCurve(context, curve, y);
    this.drawLegend(context, graph, top + 15);
  }

  private drawCurve(context: CanvasRenderingContext2D, { values, color }: Curve, y: (value: number) => number): void {
    context.strokeStyle = color;
    context.lineWidth = 1.6;
    context.lineJoin = 'round';
    context.beginPath();
    let pen = false;
    values.forEach((value, f) => {
      // A number that is missing leaves a gap.
      if (Number.isNaN(value)) pen = false;
      else if (pen) context.lineTo(this.x(f), y(value));
      else context.moveTo(this.x(f), y(value));
      pen = !Number.isNaN(value);
    });
    context.stroke();
  }

  private drawLegend(context: CanvasRenderingContext2D, graph: Graph, y: number): void {
    let x = this.left + context.measureText(graph.title).width + 20;
    const frame = Math.round(this.frame());
    for (const { name, color, values } of graph.curves) {
      const label = graph.curves.length > 1 ? `${name} ` : '';
      const text = `${label}${values[frame]?.toFixed(2) ?? ''}`;
      if (x + context.measureText(text).width > this.width - 20) break;
      context.fillStyle = color;
      context.beginPath();
      context.arc(x, y - 4, 3.5, 0, 2 * Math.PI);
      context.fill();
      context.fillStyle = cssColor('--ink');
      context.fillText(text, x + 8, y);
      x += context.measureText(text).width + 24;
    }
  }

  pick(clientX: number, clientY: number): string | null {
    const rect = this.canvas.getBoundingClientRect();
    const graph = this.graphs[Math.floor((clientY - rect.y + this.element.scrollTop) / HEIGHT)];
    if (!graph) return null;
    const frame = this.frameAt(clientX);
    const values = graph.curves.map(({ name, values: v }) => `${name} ${v[frame].toFixed(3)}`);
    return `${(frame * this.playback.frameSeconds).toFixed(2)} s · ${values.join(' · ')}`;
  }
}
