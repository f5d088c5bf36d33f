// Keeping worlds: a page like this one, with fewer worlds in it.

import { packPlayback, type Playback } from './playback';

const MARK = '<script id="playback" type="application/octet-stream">';

// Taken before anything is added to the page.
export function pageSource(): string {
  return `<!doctype html>\n${document.documentElement.outerHTML}\n`;
}

export async function savePage(source: string, playback: Playback, worlds: number[]): Promise<void> {
  const from = source.indexOf(MARK) + MARK.length;
  const to = source.indexOf('</script>', from);
  const page = source.slice(0, from) + await packPlayback(playback, worlds) + source.slice(to);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([page], { type: 'text/html' }));
  const stem = playback.title.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
  link.download = `${stem || 'playback'}-kept.html`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
