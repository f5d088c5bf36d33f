// A strip: a canvas with time from left to right, as high as what is seen of it; the rest scrolls.
// Pressing or dragging on it goes to that time. What does not change with the time is painted once;
// while it plays only a line moves over it.

import { byId, make, prepareCanvas } from './dom';
import type { Playback, World } from './playback';
import type { Store } from './store';

const RIGHT = 14; // px free at the end

export abstract class Strip {
  protected element: HTMLElement;
  protected canvas: HTMLCanvasElement;
  protected world: World;
  protected width = 0;
  protected tall = 0; // what is seen of it
  protected scrolled = 0;
  private spacer: HTMLElement;
  private line = make('i', { class: 'now', 'aria-hidden': 'true' });
  private context: CanvasRenderingContext2D | null = null; // of what is painted; null: paint it
  private drawn = NaN; // where the line is

  // The time begins at `left`.
  constructor(id: string, protected left: number, protected playback: Playback, protected store: Store,
              seek: (seconds: number) => void) {
    this.element = byId(id);
    this.canvas = this.element.querySelector('canvas')!;
    this.spacer = this.element.querySelector('div')!;
    this.world = playback.worlds[store.state.world];
    this.element.after(this.line);
    const again = () => {
      this.stale();
      this.draw();
    };
    this.element.addEventListener('scroll', again);
    // Painting may bring a scroll bar, which changes the size: not within the observation.
    new ResizeObserver(() => requestAnimationFrame(again)).observe(this.element);
    const drag = (event: PointerEvent) => {
      if (event.buttons & 1) seek(this.frameAt(event.clientX) * playback.frameSeconds);
    };
    this.canvas.addEventListener('pointerdown', (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      drag(event);
    });
    this.canvas.addEventListener('pointermove', drag);
  }

  // Height of all of it, of which as much is painted as is seen.
  protected abstract get height(): number;
  protected abstract paint(context: CanvasRenderingContext2D): void;
  // What changes with the time, and where the line is.
  protected abstract paintNow(context: CanvasRenderingContext2D): number;

  stale(): void {
    this.context = null;
  }

  draw(): void {
    if (this.element.hidden) return;
    if (!this.context) {
      this.context = this.open(this.height);
      if (!this.context) return;
      this.paint(this.context);
    }
    const x = this.paintNow(this.context);
    if (x === this.drawn) return;
    this.drawn = x;
    this.line.style.transform = `translateX(${x.toFixed(1)}px)`;
  }

  protected get right(): number {
    return this.width - RIGHT;
  }

  protected x(frame: number): number {
    return this.left + (frame / Math.max(this.world.frames - 1, 1)) * (this.right - this.left);
  }

  protected frameAt(clientX: number): number {
    const x = clientX - this.canvas.getBoundingClientRect().x;
    const share = (x - this.left) / Math.max(this.right - this.left, 1);
    return Math.round(Math.min(Math.max(share, 0), 1) * (this.world.frames - 1));
  }

  // The frame that the playback stands at, which may lie between two.
  protected frame(): number {
    return Math.min(this.store.state.seconds / this.playback.frameSeconds, this.world.frames - 1);
  }

  // An empty canvas for content of the given height; null while the strip is not seen.
  private open(height: number): CanvasRenderingContext2D | null {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth === 0) return null;
    this.width = clientWidth;
    this.tall = clientHeight;
    this.scrolled = this.element.scrollTop;
    this.spacer.style.height = `${Math.max(height - clientHeight, 0)}px`;
    const context = prepareCanvas(this.canvas, clientWidth, clientHeight);
    context.font = '11.5px system-ui, sans-serif';
    return context;
  }
}
