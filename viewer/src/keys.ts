// The keyboard does everything that the mouse does. One table makes both the keys and the help.

import { byId, make } from './dom';

export interface Key {
  keys: string[]; // as event.key says; 'Shift+' in front where Shift counts
  text: string;
  run(key: string): void;
}

export interface KeyGroup {
  title: string;
  keys: Key[];
}

const NAMES: Record<string, string> = {
  ' ': 'Space', ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc',
};

function keyName(key: string): string {
  const plain = key.replace('Shift+', '');
  return key.startsWith('Shift+') ? `Shift ${NAMES[plain] ?? plain}` : NAMES[plain] ?? plain;
}

export function fillHelp(groups: KeyGroup[]): void {
  const help = byId<HTMLDialogElement>('help');
  const close = make('button', { type: 'button', class: 'solid', click: () => help.close() }, 'Close');
  help.replaceChildren(make('h2', {}, 'Keys'), make('div', { class: 'columns' },
    ...groups.map(({ title, keys }) => make('section', {}, make('h3', {}, title),
      make('dl', {}, ...keys.flatMap(({ keys: names, text }) => [
        make('dt', {}, ...names.flatMap((name, i) => [
          ...(i ? [' '] : []), make('kbd', {}, keyName(name))])),
        make('dd', {}, text)]))))),
  make('p', {}, 'Mouse: drag to orbit, right drag to move, wheel to zoom; click a body to select it, '
    + 'click a path to go to that moment.'), close);
}

// Elements that use the key themselves keep it.
function usesKey(target: EventTarget | null, key: string): boolean {
  if (target instanceof HTMLSelectElement) return key !== 'Escape';
  if (target instanceof HTMLInputElement) {
    return target.type === 'range' ? /^(Arrow|Home|End|Page)/.test(key) : key !== 'Escape';
  }
  if (target instanceof HTMLButtonElement) return key === ' ' || key === 'Enter';
  return false;
}

export function listenKeys(groups: KeyGroup[]): void {
  const table = new Map<string, Key>();
  for (const { keys } of groups) {
    for (const key of keys) for (const name of key.keys) table.set(name, key);
  }
  window.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const help = byId<HTMLDialogElement>('help');
    if (help.open && event.key !== '?') return;
    if (usesKey(event.target, event.key)) return;
    // Letters carry their Shift in themselves; arrows do not.
    const plain = event.key.length === 1 ? event.key : `${event.shiftKey ? 'Shift+' : ''}${event.key}`;
    const key = table.get(plain) ?? table.get(event.key.toLowerCase());
    if (!key) return;
    event.preventDefault();
    key.run(plain);
  });
}
