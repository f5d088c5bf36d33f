// Drawing a box in the top view: "passes through here".

import { byId } from './dom';
import type { Box, Rule } from './filters';
import type { Gallery } from './gallery';
import type { FlatStage } from './flat';
import type { Frame, Stage } from './stage';
import type { Store } from './store';

const HINT = 'Drag a box on the ground. Arrows move it, Shift with arrows sizes it; '
  + 'Enter uses it, Esc goes back.';

export class Draw {
  private rule: { kind: 'passes' | 'misses'; who: number | null } | null = null;
  private box: Box | null = null;
  private anchor: { x: number; y: number } | null = null;
  private topBefore = false;

  constructor(private store: Store, private stage: Stage | FlatStage, private gallery: Gallery,
    private frame: () => Frame, private redraw: () => void) {
    const element = byId('stage');
    element.addEventListener('pointerdown', (event) => {
      if (!this.rule || (event.target as HTMLElement).closest('.card')) return;
      element.setPointerCapture(event.pointerId);
      this.anchor = this.place(event);
    });
    element.addEventListener('pointermove', (event) => this.drag(event));
    element.addEventListener('pointerup', () => {
      // A click without a drag is not a box.
      const real = this.box && this.anchor && this.box.x1 > this.box.x0 && this.box.y1 > this.box.y0;
      this.anchor = null;
      if (this.rule && real) this.accept();
    });
  }

  start(who: number | null, kind: 'passes' | 'misses'): void {
    const { low, high } = this.bounds;
    const middle = { x: (low.x + high.x) / 2, y: (low.y + high.y) / 2 };
    const size = this.step * 2;
    this.rule = { who, kind };
    this.topBefore = this.store.state.top;
    this.box = { x0: middle.x - size, x1: middle.x + size, y0: middle.y - size, y1: middle.y + size };
    this.store.set({ mode: 'draw', top: true, other: null, paths: true });
    this.stage.cameras.enable(false);
    byId('hint').textContent = HINT;
    byId('hint').hidden = false;
    byId('stage').focus();
    this.show();
  }

  private get bounds() {
    const { center, radius } = this.stage.cameras;
    return {
      low: { x: center.x - radius, y: center.y - radius },
      high: { x: center.x + radius, y: center.y + radius },
    };
  }

  private get step(): number {
    return this.stage.cameras.radius / 20;
  }

  private place(event: PointerEvent): { x: number; y: number } {
    const { x, y } = this.stage.groundAt(this.frame(), event.clientX, event.clientY);
    return { x, y };
  }

  private drag(event: PointerEvent): void {
    if (!this.rule || !this.anchor) return;
    const { x, y } = this.place(event);
    const { anchor } = this;
    this.box = {
      x0: Math.min(x, anchor.x), x1: Math.max(x, anchor.x),
      y0: Math.min(y, anchor.y), y1: Math.max(y, anchor.y),
    };
    this.show();
  }

  key(x: number, y: number, large: boolean): void {
    if (!this.box) return;
    const { step, box } = this;
    const dx = x * step, dy = y * step;
    this.box = large
      ? { ...box, x1: Math.max(box.x1 + dx, box.x0 + step / 4), y1: Math.max(box.y1 + dy, box.y0 + step / 4) }
      : { x0: box.x0 + dx, x1: box.x1 + dx, y0: box.y0 + dy, y1: box.y1 + dy };
    this.show();
  }

  private show(): void {
    this.stage.showBox(this.box);
    this.redraw();
  }

  accept(): void {
    if (!this.rule || !this.box) return;
    const rule: Rule = { ...this.rule, box: this.box };
    this.end();
    this.gallery.addRule(rule);
  }

  cancel(): void {
    if (this.rule) this.end();
  }

  private end(): void {
    this.rule = null;
    this.box = null;
    this.anchor = null;
    this.stage.showBox(null);
    byId('hint').hidden = true;
    this.store.set({ mode: 'gallery', top: this.topBefore });
    this.stage.cameras.enable(true);
  }
}
