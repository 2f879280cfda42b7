import type { BrowserContext, Page } from 'playwright-core';

/** Collects the errors that the browser reports in a window from now on, except those that the test expects. */
export function complaintsOf(page: Page, expected?: RegExp): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !expected?.test(text)) complaints.push(text);
  });
  return complaints;
}

/** The page's own requests have these. */
const HEADERS = { 'x-hubline-dashboard': '1', 'sec-fetch-site': 'same-origin' };

/** Begins a session for all windows of a context, as the login page does. */
export async function logIn(
  context: BrowserContext,
  url: string,
  data: { email: string; password: string },
): Promise<void> {
  const response = await context.request.post(`${url}/session`, { headers: HEADERS, data });
  if (!response.ok()) throw new Error(`Nobody logged in: ${response.status()} ${await response.text()}`);
}

/** Ends the session of a context, of which its windows learn only from the next response. */
export async function endSession(context: BrowserContext, url: string): Promise<void> {
  const response = await context.request.delete(`${url}/session`, { headers: HEADERS });
  if (!response.ok()) throw new Error(`The session goes on: ${response.status()} ${await response.text()}`);
}

/** Follows a link, and waits until its page has loaded with its data. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate((href) => {
    document.querySelector('main h1')?.setAttribute('data-left', '');
    const link = document.body.appendChild(Object.assign(document.createElement('a'), { href }));
    link.click();
    link.remove();
  }, path);
  await page.locator('main h1:not([data-left])').waitFor();
  await page.locator('[aria-busy=true], [role=progressbar]').first().waitFor({ state: 'detached' });
}

/** The size and theme of a window. Only CSS depends on them: a page opened like this is the same as one changed to it. */
export interface View {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
}

export async function lookAs(page: Page, { width, colorScheme }: View): Promise<void> {
  // Together, so that the browser draws the page once.
  await Promise.all([
    page.emulateMedia({ colorScheme, reducedMotion: 'reduce' }),
    page.setViewportSize({ width, height: 900 }),
  ]);
}

/** The window of the tests in a file. Loading a page in it takes half the processor time of opening another window. */
export type TestWindow = Awaited<ReturnType<typeof openWindow>>;

export async function openWindow(context: BrowserContext, expected?: RegExp) {
  const page = await context.newPage();
  const complaints = complaintsOf(page, expected);
  return {
    page,
    complaints,
    /** Loads a page as a new window does: in the usual view, and without the complaints about the page before. */
    async load(url: string, view: View = { width: 1280, colorScheme: 'light' }) {
      await lookAs(page, view);
      complaints.length = 0;
      await page.goto(url);
    },
  };
}

/** The pixels by which a page is wider than its window. */
export const tooWide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
