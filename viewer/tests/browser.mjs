// Debian's Chromium, drawing with Mesa on the processor or, where that is missing, by itself, and
// nothing that calls home.

import { chromium } from 'playwright-core';

export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

export function launch() {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ['--use-angle=gl-egl', '--ignore-gpu-blocklist', '--enable-unsafe-swiftshader', '--headless', '--no-sandbox',
      '--disable-gpu-sandbox', '--disable-background-networking', '--disable-component-update',
      '--disable-sync', '--no-first-run', '--disable-gpu-watchdog'],
  });
}

// A new tab; `errors` gathers whatever its pages complain about or try to load.
async function makeTab(browser) {
  const context = await browser.newContext({ colorScheme: 'light' });
  const page = await context.newPage();
  page.setDefaultTimeout(180000); // without a graphics card, on a busy machine
  page.on('close', () => context.close().catch(() => {})); // with the browser, or alone
  const errors = [];
  page.on('console', (message) => {
    // Software rendering is slow to read back, and says so.
    const slow = message.text().includes('GPU stall due to ReadPixels');
    if (['error', 'warning'].includes(message.type()) && !slow) errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('request', (request) => {
    if (!/^(file|data|blob):/.test(request.url())) errors.push(`asked for ${request.url()}`);
  });
  return { page, errors };
}

// Open a page of the file system, in a new tab or in one that was opened before.
export async function open(browser, path, hash = '', size = { width: 720, height: 570 }, tab = null) {
  const { page, errors } = tab ?? await makeTab(browser);
  await page.setViewportSize(size);
  // From one part of a page to another the browser would not load it again.
  if (tab) await page.goto('about:blank');
  errors.length = 0;
  await page.goto(`file://${path}${hash ? `#${hash}` : ''}`);
  await page.waitForFunction(() => window.carom || document.getElementById('failure'));
  return { page, errors };
}
