// Reading the playback out of the page: docs/playback-format.md describes the bytes.

export type Pose = [number, number, number, number, number, number, number];

export interface Shape {
  kind: 'plane' | 'sphere' | 'box' | 'cylinder' | 'prism' | 'capsule' | 'hull';
  radius: number;
  half: [number, number, number | null]; // null: endless
  points: number[][]; // of a prism x, y; of a hull x, y, z, three a triangle
  pose: Pose;
  name: string;
}

export interface Body {
  name: string;
  color: number;
  track: number; // -1: fixed
  pose: Pose;
  parts: Shape[];
}

export type Finish = 'plain' | 'carpet' | 'grass' | 'cloth' | 'wood' | 'asphalt' | 'concrete' | 'metal'
  | 'rubber' | 'gloss' | 'striped' | 'golf' | 'net' | 'robot' | 'car' | 'pin' | 'hidden';

export interface Dress {
  body: number;
  finish: Finish;
  number: number; // on a ball; 0: none
}

export interface Mark {
  kind: 'line' | 'box' | 'circle' | 'disc' | 'patch' | 'block' | 'post' | 'road' | 'rope';
  finish: Finish;
  color: number;
  body: number; // that it moves with, or -1
  other?: number; // of a rope: the body that it leads to, or -1
  at: [number, number, number];
  size: [number, number, number];
  arc: [number, number];
  heading: number;
  width: number;
  closed: boolean;
  points: [number, number, number][];
}

export interface Tactic {
  name: string;
  body: number;
  start: number;
  skills: string[];
  ways: [number, number][];
}

export interface Line {
  name: string;
  color: number;
  closed: boolean;
  points: Float32Array; // x, y, z of each
}

export interface Span {
  row: string;
  label: string;
  from: number;
  to: number;
}

// Two bodies begin to touch: one contact of the plan, noted in the first frame after it.
export interface Meeting {
  a: number;
  b: number;
  from: number;
  impulse: number;
  point: [number, number, number];
}

export interface Channel {
  name: string;
  unit: string;
  values: Float32Array;
}

export interface World {
  index: number;
  title: string;
  score: number;
  frames: number;
  motion: Float32Array[]; // x, y, z, qx, qy, qz, qw; number f of track t is at t * frames + f
  velocity: Float32Array[] | null; // x, y, z
  spans: Span[];
  meetings: Meeting[];
  touched: Set<number>[]; // for each body, the bodies it touches
  channels: Channel[];
}

// What a plan foretold of the first world, from one of its frames on.
export interface Plan {
  title: string;
  from: number; // the frame of the world that is its own first
  frames: number;
  motion: Float32Array[]; // as of a world
}

export interface Tree {
  count: number; // points
  nodes: number; // of the search's tree
  shown: number; // of them, those that have points here
  dead: [number, number, number]; // branches that broke a rule, blew up, ended for good
  parent: Float32Array;
  body: Float32Array;
  order: Float32Array;
  place: Float32Array[];
  reasons: Reason[];
  ends: Ends;
}

// Why branches ended.
export interface Reason {
  kind: 'goal' | 'rule' | 'engine' | 'skill' | 'time';
  text: string;
  count: number; // branches here that ended so
}

// Where branches ended, and the ways to those that died and are not in the tree. A parent of
// `count` of the tree and more is another of these.
export interface Ends {
  count: number;
  parent: Float32Array;
  body: Float32Array;
  order: Float32Array;
  place: Float32Array[];
  reason: Float32Array; // -1: on the way
}

export interface Playback {
  title: string;
  about: string;
  frameSeconds: number;
  tracks: number;
  low: [number, number, number];
  high: [number, number, number];
  bodies: Body[];
  moving: number[]; // the body of each track
  lines: Line[];
  regions: Shape[];
  goals: number[]; // regions that the goal asks for
  tactics: Tactic[];
  dresses: Dress[];
  marks: Mark[];
  worlds: World[];
  plans: Plan[]; // of the first world, in the order in which they were made
  tree: Tree;
  source: Source;
}

// The bytes, and where each world's columns lie in them: enough to save a page of fewer worlds.
export interface Source {
  header: Header;
  bytes: Uint8Array;
  common: [number, number];
  worlds: [number, number][];
}

interface Header {
  title: string;
  about: string;
  frameSeconds: number;
  tracks: number;
  bounds: number[];
  bodies: Body[];
  lines: { name: string; color: number; closed: boolean; count: number }[];
  regions: Shape[];
  goals: number[];
  tactics: Tactic[];
  dresses: Dress[];
  marks: Mark[];
  tree: { points: number; nodes: number; shown: number; dead: [number, number, number]; ends: number; reasons: Reason[] };
  worlds: {
    title: string; score: number; frames: number; velocities: boolean; contacts: number; from?: number;
    spans: Span[]; channels: { name: string; unit: string }[];
  }[];
}

export const VERSION = 4;
const NO_VALUE = -0x80000000;

class Reader {
  private view: DataView;
  constructor(private bytes: Uint8Array, public at: number) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  column(): Float32Array {
    const step = this.view.getFloat64(this.at, true);
    const count = this.view.getUint32(this.at + 8, true);
    const order = this.view.getUint32(this.at + 12, true);
    const start = this.at + 16;
    const { bytes } = this;
    const values = new Float32Array(count);
    let last = 0, before = 0;
    for (let i = 0; i < count; i++) {
      const at = start + i;
      const zigzag = bytes[at] | (bytes[at + count] << 8) | (bytes[at + 2 * count] << 16)
        | (bytes[at + 3 * count] << 24);
      const residue = (zigzag >>> 1) ^ -(zigzag & 1);
      const foretold = order === 0 ? 0 : order === 1 ? last : 2 * last - before;
      const now = (foretold + residue) | 0;
      values[i] = now === NO_VALUE ? NaN : now * step;
      before = last;
      last = now;
    }
    this.at = start + 4 * count;
    return values;
  }

  columns(count: number): Float32Array[] {
    return Array.from({ length: count }, () => this.column());
  }
}

function readLines(header: Header, reader: Reader): Line[] {
  const [x, y, z] = reader.columns(3);
  let at = 0;
  return header.lines.map(({ name, color, closed, count }) => {
    const points = new Float32Array(3 * count);
    for (let i = 0; i < count; i++, at++) points.set([x[at], y[at], z[at]], 3 * i);
    return { name, color, closed, points };
  });
}

function readMeetings(columns: Float32Array[]): Meeting[] {
  const [frame, a, b, x, y, z, impulse] = columns;
  return Array.from(frame, (from, i): Meeting => (
    { a: a[i], b: b[i], from, impulse: impulse[i], point: [x[i], y[i], z[i]] }));
}

function readWorld(header: Header, index: number, reader: Reader): World {
  const { title, score, frames, velocities, spans, channels } = header.worlds[index];
  const motion = reader.columns(7);
  const velocity = velocities ? reader.columns(3) : null;
  const meetings = readMeetings(reader.columns(7));
  const touched = header.bodies.map(() => new Set<number>());
  for (const { a, b } of meetings) {
    touched[a].add(b);
    touched[b].add(a);
  }
  return {
    index, title, score, frames, motion, velocity, spans, meetings, touched,
    channels: channels.map(({ name, unit }) => ({ name, unit, values: reader.column() })),
  };
}

function readAll(bytes: Uint8Array): Playback {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const magic = String.fromCharCode(...bytes.subarray(0, 4));
  if (magic !== 'CRPB') throw new Error('this page holds no playback');
  const version = view.getUint32(4, true);
  if (version !== VERSION) throw new Error(`playback version ${version}, this page reads ${VERSION}`);
  const length = view.getUint32(8, true);
  const header: Header = JSON.parse(new TextDecoder().decode(bytes.subarray(12, 12 + length)));
  const reader = new Reader(bytes, 12 + length);
  const lines = readLines(header, reader);
  const [parent, body, order, ...place] = reader.columns(6);
  const [endParent, endBody, endOrder, endX, endY, endZ, reason] = reader.columns(7);
  const common: [number, number] = [12 + length, reader.at];
  const ranges: [number, number][] = [];
  const worlds = header.worlds.map((_, i) => {
    const from = reader.at;
    const world = readWorld(header, i, reader);
    ranges.push([from, reader.at]);
    return world;
  });
  const plans = worlds.flatMap(({ title, frames, motion, index }): Plan[] => {
    const { from } = header.worlds[index];
    return from === undefined ? [] : [{ title, from, frames, motion }];
  });
  const moving: number[] = [];
  header.bodies.forEach(({ track }, i) => { if (track >= 0) moving[track] = i; });
  const [lx, ly, lz, hx, hy, hz] = header.bounds;
  return {
    title: header.title, about: header.about, frameSeconds: header.frameSeconds,
    tracks: header.tracks, low: [lx, ly, lz], high: [hx, hy, hz], bodies: header.bodies, moving,
    lines, regions: header.regions, goals: header.goals, tactics: header.tactics,
    dresses: header.dresses, marks: header.marks, plans,
    worlds: worlds.filter(({ index }) => header.worlds[index].from === undefined),
    tree: {
      count: header.tree.points, nodes: header.tree.nodes, shown: header.tree.shown, dead: header.tree.dead,
      parent, body, order, place, reasons: header.tree.reasons,
      ends: { count: header.tree.ends, parent: endParent, body: endBody, order: endOrder, place: [endX, endY, endZ], reason },
    },
    source: { header, bytes, common, worlds: ranges },
  };
}

async function pipe(bytes: Uint8Array, stream: CompressionStream | DecompressionStream) {
  const through = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as GenericTransformStream);
  return new Uint8Array(await new Response(through).arrayBuffer());
}

export async function readPlayback(base64: string): Promise<Playback> {
  const text = atob(base64);
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  return readAll(await pipe(packed, new DecompressionStream('deflate')));
}

// The playback with only the given worlds, again in base64.
export async function packPlayback(playback: Playback, chosen: number[]): Promise<string> {
  const { header, bytes, common, worlds: ranges } = playback.source;
  // Plans come after the worlds, and go with the first.
  const worlds = [...chosen, ...(chosen.includes(0) ? playback.plans.map((_, i) => playback.worlds.length + i) : [])];
  const text = new TextEncoder().encode(
    JSON.stringify({ ...header, worlds: worlds.map((w) => header.worlds[w]) }));
  const start = new Uint8Array(12);
  start.set([67, 82, 80, 66]); // CRPB
  const view = new DataView(start.buffer);
  view.setUint32(4, VERSION, true);
  view.setUint32(8, text.length, true);
  const pieces = [start, text, ...[common, ...worlds.map((w) => ranges[w])]
    .map(([from, to]) => bytes.subarray(from, to))];
  const whole = new Uint8Array(await new Blob(pieces as BlobPart[]).arrayBuffer());
  const packed = await pipe(whole, new CompressionStream('deflate'));
  let binary = '';
  for (let i = 0; i < packed.length; i += 32768) {
    binary += String.fromCharCode(...packed.subarray(i, i + 32768));
  }
  return btoa(binary);
}

// ------------------------------------------------------------------------------------------
// Questions to a world. Times are in frames and may lie between two.

export function duration(playback: Playback, world: World): number {
  return (world.frames - 1) * playback.frameSeconds;
}

export function frameAt(playback: Playback, world: World, seconds: number): number {
  // A time that is meant to be a frame must give that frame, whatever the division rounds to.
  const frame = seconds / playback.frameSeconds;
  const near = Math.round(frame);
  return Math.min(Math.max(Math.abs(frame - near) < 1e-4 ? near : frame, 0), world.frames - 1);
}

// Writes x, y, z and a unit quaternion between two frames into `out`.
export function poseAt(world: Pick<World, 'frames' | 'motion'>, track: number, frame: number, out: Float64Array): Float64Array {
  const first = Math.floor(frame), share = frame - first;
  const at = track * world.frames + first;
  const next = share > 0 ? at + 1 : at;
  let square = 0;
  for (let i = 0; i < 7; i++) {
    const column = world.motion[i];
    out[i] = column[at] + share * (column[next] - column[at]);
    if (i > 2) square += out[i] * out[i];
  }
  const scale = 1 / Math.sqrt(square);
  for (let i = 3; i < 7; i++) out[i] *= scale;
  return out;
}

// The plan that is followed in a frame of the first world: the last that has begun; -1: none.
export function planAt(playback: Playback, frame: number): number {
  let now = -1;
  while (now + 1 < playback.plans.length && playback.plans[now + 1].from <= frame + 1e-6) now++;
  return now;
}

// How far a body is from where the plan has it, as the run itself noted it; null: there is no plan.
export const OFF_PLAN = 'off plan: ';

export function offPlan(playback: Playback, body: number, world: World, frame: number): number | null {
  const { name } = playback.bodies[body];
  const away = world.channels.find((channel) => channel.name === OFF_PLAN + name)?.values[Math.round(frame)];
  return away === undefined || Number.isNaN(away) ? null : away;
}

export function speedAt(world: World, track: number, frame: number): number | null {
  if (!world.velocity) return null;
  const at = track * world.frames + Math.round(frame);
  const [x, y, z] = world.velocity;
  return Math.hypot(x[at], y[at], z[at]);
}

// The largest speed of anything in the world.
export function maxSpeed(playback: Playback, world: World): number {
  if (!world.velocity) return 0;
  const [x, y, z] = world.velocity;
  let most = 1e-9;
  for (let i = 0; i < playback.tracks * world.frames; i++) most = Math.max(most, Math.hypot(x[i], y[i], z[i]));
  return most;
}

export interface Lap {
  from: number; // s
  to: number;
  sectors: [number, number, number]; // s, thirds of the lap's length
}

// When a column that grows passes a value, between two frames on the straight line.
function passes(playback: Playback, values: Float32Array, value: number): number | null {
  for (let f = 1; f < values.length; f++) {
    if (values[f] < value) continue;
    const share = (value - values[f - 1]) / Math.max(values[f] - values[f - 1], 1e-9);
    return (f - 1 + Math.min(Math.max(share, 0), 1)) * playback.frameSeconds;
  }
  return null;
}

// The laps of a car: read off the channel `along` and the length of its road.
export function lapsOf(playback: Playback, world: World): Lap[] {
  const along = world.channels.find(({ name, unit }) => name === 'along' && unit === 'm')?.values;
  const road = playback.marks.find(({ kind }) => kind === 'road');
  if (!along || !road?.closed || !(road.size[0] > 0)) return [];
  const length = road.size[0], laps: Lap[] = [];
  let from = 0;
  for (let lap = 0; ; lap++) {
    const ends = [1, 2, 3].map((k) => passes(playback, along, (lap + k / 3) * length));
    const [one, two, to] = ends;
    if (one === null || two === null || to === null) return laps;
    laps.push({ from, to, sectors: [one - from, two - one, to - two] });
    from = to;
  }
}

// A body in a sentence: its name, and where it is and how fast.
export function describeBody(playback: Playback, body: number, index: number, seconds: number): string {
  const { name, track } = playback.bodies[body], title = name || `body ${body}`;
  if (track < 0) return title;
  const world = playback.worlds[index], frame = frameAt(playback, world, seconds);
  const [x, y, z] = poseAt(world, track, frame, new Float64Array(7));
  const speed = speedAt(world, track, frame), off = offPlan(playback, body, world, frame);
  return `${title} · (${x.toFixed(2)}, ${y.toFixed(2)}, ${z.toFixed(2)}) m`
    + (speed === null ? '' : ` · ${speed.toFixed(2)} m/s`)
    + (off === null ? '' : ` · ${off.toFixed(3)} m off the plan`);
}
