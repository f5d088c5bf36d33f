// The mouse: names what it points at, selects bodies, and goes to moments.

import type { App } from './app';
import { byId } from './dom';
import type { Frame, Hit } from './stage';

export class Pointing {
  private pointer: { x: number; y: number } | null = null; // while it rests on the scene
  private hovered = 0;
  private down = { x: 0, y: 0 };

  constructor(private app: App) {
    const stage = byId('stage');
    stage.addEventListener('pointerdown', ({ clientX: x, clientY: y }) => { this.down = { x, y }; });
    stage.addEventListener('pointermove', (event) => this.move(event));
    stage.addEventListener('pointerleave', () => this.leave());
    stage.addEventListener('click', (event) => this.click(event));
    this.listenPanel('timeline', (x, y) => app.timeline.pick(x, y)?.text ?? null);
    this.listenPanel('graphs', (x, y) => app.graphs.pick(x, y));
  }

  private listenPanel(id: string, pick: (x: number, y: number) => string | null): void {
    byId(id).addEventListener('pointermove', ({ clientX: x, clientY: y }) => this.tip(pick(x, y), x, y));
    byId(id).addEventListener('pointerleave', () => this.tip(null, 0, 0));
  }

  private tip(text: string | null, x: number, y: number): void {
    const tip = byId('tip');
    tip.hidden = text === null;
    if (text === null) return;
    tip.textContent = text;
    const right = x > window.innerWidth * 0.6, low = y > window.innerHeight * 0.75;
    tip.style.left = right ? '' : `${x + 14}px`;
    tip.style.right = right ? `${window.innerWidth - x + 14}px` : '';
    tip.style.top = low ? '' : `${y + 14}px`;
    tip.style.bottom = low ? `${window.innerHeight - y + 14}px` : '';
  }

  private pick(x: number, y: number): Hit | null {
    const frames = this.app.frames();
    const frame: Frame = frames.find(({ rect }) => x < rect.right && y < rect.bottom) ?? frames[0];
    return this.app.stage.pick(frame, this.app.store.state, x, y);
  }

  private hover(x: number, y: number): void {
    const hit = this.pick(x, y);
    this.tip(hit?.text ?? null, x, y);
    this.highlight(hit?.body ?? null);
    byId('stage').style.cursor = hit && hit.body !== null ? 'pointer' : '';
  }

  private highlight(body: number | null): void {
    if (this.app.stage.highlight(body ?? this.app.store.state.body)) this.app.invalidate();
  }

  // What the mouse rests on moves under it; looking ten times a second is enough.
  again(now: number): void {
    if (!this.pointer || this.app.store.state.mode !== 'stage' || now - this.hovered < 100) return;
    this.hovered = now;
    this.hover(this.pointer.x, this.pointer.y);
  }

  private onScene(event: MouseEvent): boolean {
    return this.app.store.state.mode === 'stage' && !(event.target as HTMLElement).closest('.card');
  }

  private move(event: PointerEvent): void {
    const { clientX: x, clientY: y } = event;
    this.pointer = event.buttons === 0 && this.onScene(event) ? { x, y } : null;
    if (this.pointer) this.hover(x, y);
    else this.tip(null, 0, 0);
  }

  private leave(): void {
    this.pointer = null;
    this.tip(null, 0, 0);
    this.highlight(null);
  }

  private click(event: MouseEvent): void {
    const { clientX: x, clientY: y } = event;
    // The end of a drag is not a click.
    if (!this.onScene(event) || Math.hypot(x - this.down.x, y - this.down.y) > 5) return;
    const hit = this.pick(x, y);
    if (hit?.end !== undefined) this.app.store.set({ end: hit.end });
    else if (hit?.seconds !== undefined) this.app.seek(hit.seconds);
    else this.app.store.set({ body: hit?.body ?? null, end: null });
  }
}
