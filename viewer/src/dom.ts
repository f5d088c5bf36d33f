// Small ways to make elements. Text is always set as text, never as markup: names come from
// strangers.

type Attributes = Record<string, string | boolean | ((event: Event) => void)>;

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (typeof value === 'boolean') element.toggleAttribute(name, value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

const ICONS: Record<string, string> = {
  play: 'M7 5l12 7-12 7z',
  pause: 'M7 5h4v14H7zM14 5h4v14h-4z',
  back: 'M15 6l-8 6 8 6zM5 6h2v12H5z',
  next: 'M9 6l8 6-8 6zM17 6h2v12h-2z',
  start: 'M18 6l-8 6 8 6zM6 6h2.5v12H6z',
  end: 'M6 6l8 6-8 6zM15.500 6H18v12h-2.500z',
  loop: 'M6 12a6 6 0 0 1 10.500-4M18 12a6 6 0 0 1-10.500 4M17 4v4h-4M7 20v-4h4',
  top: 'M4 4h16v16H4zM12 4v16M4 12h16',
  paths: 'M4 18c5 0 4-12 9-12 4 0 3 7 7 7',
  tree: 'M12 21v-8M12 13L6 8M12 13l6-5M6 8L3 4M6 8l3-4M18 8l3-4M18 8l-3-4',
  worlds: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  beside: 'M4 5h7v14H4zM13 5h7v14h-7z',
  theme: 'M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z',
  help: 'M9 9a3 3 0 1 1 4.500 2.600c-1 .6-1.500 1.200-1.500 2.400M12 17.500v.5',
  keep: 'M12 4l2.400 5 5.600.7-4.100 3.800 1.100 5.500-5-2.800-5 2.800 1.100-5.500L4 9.700 9.600 9z',
  left: 'M15 5l-7 7 7 7',
  right: 'M9 5l7 7-7 7',
  close: 'M6 6l12 12M18 6L6 18',
  time: 'M4 7h9M7 12h11M4 17h6',
  graph: 'M4 19V5M4 19h16M6 15l4-5 4 3 5-7',
  slow: 'M12 7v5l4 3M12 3a9 9 0 1 0 9 9M21 4l-4 4',
  tactic: 'M5 5h5v4H5zM14 5h5v4h-5zM9.500 15h5v4h-5zM10 7h4M16.500 9l-3 6M7.500 9l3 6',
  table: 'M4 5h16v14H4zM4 10h16M4 14.500h16M10 5v14',
  save: 'M12 4v11M7 11l5 5 5-5M5 20h14',
};
const SOLID = new Set(['play', 'pause', 'back', 'next', 'start', 'end']);

export function icon(name: string): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', ICONS[name]);
  if (SOLID.has(name)) svg.classList.add('solid');
  svg.append(path);
  return svg;
}

// A button with a picture, a name for those who cannot see it, and its key.
export function iconButton(
  name: string, label: string, key: string, click: () => void,
): HTMLButtonElement {
  const title = key ? `${label} (${key})` : label;
  return make('button', { type: 'button', class: 'icon', 'aria-label': label, title, click }, icon(name));
}

export function press(button: HTMLElement, pressed: boolean): void {
  write(button, 'aria-pressed', String(pressed));
}

// Make the inside of an element again; who used it by keyboard stays where they were.
export function rebuild(element: HTMLElement, ...children: Node[]): void {
  const active = element.contains(document.activeElement)
    ? document.activeElement!.getAttribute('aria-label') : null;
  element.replaceChildren(...children);
  if (active === null) return;
  const again = [...element.querySelectorAll<HTMLElement>('[aria-label]')]
    .find((candidate) => candidate.getAttribute('aria-label') === active);
  again?.focus();
}

export function hex(color: number): string {
  return `#${color.toString(16).padStart(6, '0')}`;
}

// A canvas as large as its box, in device pixels, drawn in CSS pixels.
export function prepareCanvas(
  canvas: HTMLCanvasElement, width: number, height: number,
): CanvasRenderingContext2D {
  const ratio = Math.min(window.devicePixelRatio, 2);
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext('2d')!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

// A colour of the style sheet in the theme of now. Asking the browser makes it compute styles anew,
// so each is asked for once a theme.
const colors = new Map<string, string>();

export function cssColor(name: string): string {
  const root = document.documentElement, key = `${root.dataset.theme} ${name}`;
  let color = colors.get(key);
  if (color === undefined) {
    color = getComputedStyle(root).getPropertyValue(name).trim();
    colors.set(key, color);
  }
  return color;
}

// Set what has changed: writing the same again still makes the browser look at the page.
export function write(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
