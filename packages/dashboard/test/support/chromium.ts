import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Chromium on this machine; `undefined` where there is none. */
export const executablePath = process.env['HUBLINE_BROWSER'] ?? BROWSERS.find((path) => existsSync(path));

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

interface Launch {
  /** Keeps pages that are left for the way back, as browsers of people do. Playwright cannot follow that way. */
  readonly keepsPages?: boolean;
}

/** Starts it. */
export const launch = ({ keepsPages = false }: Launch = {}) =>
  chromium.launch({
    executablePath: executablePath ?? '',
    args: ARGUMENTS,
    ...(keepsPages && { ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
  });

let shared: Promise<Browser> | undefined;

/** The browser of all tests of this worker, which it ends with: a separate window is enough for each of them. */
export const browserOfTests = () => (shared ??= launch());
