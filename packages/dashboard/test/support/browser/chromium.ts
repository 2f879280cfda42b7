import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The path of Chromium on this machine; `undefined` if there is none. */
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
  /** Keeps pages in the back/forward cache, as in people's browsers. Playwright cannot go back to such a page. */
  readonly keepsPages?: boolean;
}

/** Starts Chromium. */
export const launch = ({ keepsPages = false }: Launch = {}) =>
  chromium.launch({
    executablePath: executablePath ?? '',
    args: ARGUMENTS,
    ...(keepsPages && { ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
  });

let shared: Promise<Browser> | undefined;

/** The browser of all tests of this worker, which ends with it. A separate window is enough for each test. */
export const browserOfTests = () => (shared ??= launch());
