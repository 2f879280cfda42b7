// @vitest-environment node
import { Hubline } from '@hubline/sdk';
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executablePath, launch } from '../support/chromium.ts';
import { type SeededPlace, startSeeded } from '../support/start-seeded.ts';

const PAGES = [
  'overview?window=24h',
  'events',
  'deliveries',
  'deliveries?view=cause',
  'webhooks',
  'integrations',
  'automations',
  'members',
  'settings',
  'settings/api-keys',
  'audit-log',
  'account',
];

const EVERYTHING = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];

/** Each width and theme, with the rules that can differ there: a theme changes colors, a width the layout. */
const VIEWS = [
  { width: 1440, colorScheme: 'light', rules: EVERYTHING },
  { width: 1440, colorScheme: 'dark', rules: ['color-contrast'] },
  { width: 1024, colorScheme: 'light', rules: [] },
  { width: 1024, colorScheme: 'dark', rules: [] },
  { width: 390, colorScheme: 'light', rules: EVERYTHING },
  { width: 390, colorScheme: 'dark', rules: [] },
] as const;

describe.skipIf(executablePath === undefined)('a seeded workspace in Chromium', () => {
  let place: SeededPlace;
  let browser: Browser;
  let cookies: Awaited<ReturnType<BrowserContext['cookies']>>;
  let api: Hubline;

  beforeAll(async () => {
    place = await startSeeded();
    browser = await launch();
    api = new Hubline({ apiKey: place.key, baseURL: `${place.url}/v1` });
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${place.url}/login`);
    await logIn(page, place.email, place.password);
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    cookies = await context.cookies();
    await context.close();
  });
  afterAll(async () => {
    await browser?.close();
    await place?.stop();
  });

  async function logIn(page: Page, email: string, password: string): Promise<void> {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
  }

  /** A window of the owner, and everything that the browser complains about in it. */
  async function open(path: string, options: Parameters<Browser['newContext']>[0] = {}) {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    await context.addCookies(cookies);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(`${place.url}/w/fernhill/${path}`);
    return { page, complaints, close: () => context.close() };
  }

  /** A webhook by the path of its page, and its id. */
  async function failingWebhook(): Promise<string> {
    for await (const webhook of api.webhooks.list({ workspace_id: place.workspaceId }))
      if (webhook.failing_since !== null) return webhook.id;
    throw new Error('No webhook is failing.');
  }

  it.each(VIEWS)(
    'shows every page whole at $width pixels, $colorScheme',
    async ({ width, colorScheme, rules }) => {
      const viewport = { width, height: 900 };
      const { page, complaints, close } = await open('overview', { viewport, colorScheme });
      const found: string[] = [];
      for (const path of [...PAGES, `webhooks/${await failingWebhook()}`]) {
        await page.goto(`${place.url}/w/fernhill/${path}`);
        await page.locator('main h1').waitFor();
        await page.locator('[aria-busy=true], [role=progressbar]').first().waitFor({ state: 'detached' });
        found.push(...(await page.evaluate(cutOff)).map((each) => `${path}: ${each}`));
        found.push(...(await violations(page, rules)).map((each) => `${path}: ${each}`));
      }
      expect(found).toEqual([]);
      expect(complaints).toEqual([]);
      await close();
    },
  );

  it('is used by the keyboard alone: the palette, letters that go to pages, and a list to walk through', async () => {
    const { page, close } = await open('overview');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('audit');
    await page
      .getByRole('option', { name: /Audit log/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
    await page.locator('a.ev').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Deliveries', level: 2 }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Deliveries', level: 2 }).waitFor({ state: 'detached' });
    await close();
  });

  it('a failing receiver is found on the overview, its URL is mended, and one button retries what it missed', async () => {
    const id = await failingWebhook();
    const { page, close } = await open('overview?window=24h');
    await page.getByRole('link', { name: /Billing service is failing/ }).click();
    await page.getByRole('heading', { name: /Billing service/, level: 1 }).waitFor();
    await page.getByText(/^Nothing has arrived since/).waitFor();
    await page.getByRole('navigation', { name: 'Webhook' }).getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit the webhook' });
    await dialog.getByLabel('URL').fill('https://billing-eu.fernhill.example/webhooks/hubline');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });

    await page.goto(`${place.url}/w/fernhill/deliveries?view=cause&webhook=${id}`);
    await page.getByRole('row').filter({ hasText: '503' }).getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('button', { name: /^Retry \d+ failed/ }).click();
    await expect
      .poll(
        async () => (await api.deliveries.list(place.workspaceId, { webhook_id: id, status: 'failed' })).data,
      )
      .toEqual([]);
    await close();
  });

  it('a key is created, used, and refused once it is revoked', async () => {
    const { page, close } = await open('settings/api-keys');
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog', { name: 'New API key' });
    await dialog.getByLabel('Name').fill('Status board');
    await dialog.getByRole('button', { name: 'Create' }).click();
    const shown = page.getByRole('dialog', { name: 'API key “Status board”' });
    const key = (await shown.locator('.secret code').textContent()) ?? '';
    expect(key).toMatch(/^hl_\w{36}$/);
    const use = async () => {
      const response = await fetch(`${place.url}/v1/workspaces/${place.workspaceId}`, {
        headers: { Authorization: `Bearer ${key}` },
      });
      return response.status;
    };
    expect(await use()).toBe(200);
    await shown.getByLabel('I have saved it').check();
    await shown.getByRole('button').last().click();
    const row = page.getByRole('row').filter({ hasText: 'Status board' });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page
      .getByRole('dialog', { name: 'Revoke Status board' })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await row.getByText('revoked', { exact: false }).waitFor();
    expect(await use()).toBe(401);
    await close();
  });

  it('somebody who is invited joins in another browser, and sees a new role without a reload', async () => {
    const { page, close } = await open('members');
    await page.getByRole('button', { name: /^Invite/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite somebody' });
    await dialog.getByLabel('Email').fill('sam@example.com');
    await dialog.getByLabel('Role').selectOption('viewer');
    await dialog.getByRole('button', { name: 'Invite' }).click();
    const link = await page.getByRole('dialog', { name: 'Invitation' }).locator('.secret code').textContent();

    const other = await browser.newContext();
    const theirs = await other.newPage();
    await theirs.goto(link ?? '');
    await theirs.getByLabel('Choose a password').fill('a horse of another color');
    await theirs.getByRole('button', { name: 'Join Fernhill' }).click();
    await theirs.getByRole('link', { name: 'Open the dashboard' }).click();
    await theirs.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await theirs.locator('nav [aria-disabled=true]', { hasText: 'API keys' }).waitFor();

    await page.getByRole('dialog', { name: 'Invitation' }).getByLabel('I have saved it').check();
    await page.getByRole('dialog', { name: 'Invitation' }).getByRole('button').last().click();
    await page.getByLabel('Role of sam@example.com').selectOption('admin');
    await theirs.getByRole('link', { name: 'API keys' }).waitFor();
    await other.close();
    await close();
  });

  it('survives the death of the server: the page says so, and goes on when it is back', async () => {
    const { page, close } = await open('events');
    const connection = page.getByRole('status', { name: 'Connection' });
    await connection.getByText('Live').waitFor();
    await page.locator('a.ev').first().waitFor();
    await place.kill();
    await connection.getByText(/Reconnecting|Not live/).waitFor();
    await place.restart();
    await connection.getByText('Live').waitFor();
    await api.events.publish(place.workspaceId, { type: 'server.back', payload: {} });
    await page.locator('a.ev', { hasText: 'server.back' }).waitFor();
    await close();
  });
});

/** Says what is wider than the window, and which texts end in the middle of a letter: cut off without the three dots that say so. */
function cutOff(): string[] {
  const found: string[] = [];
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) found.push(`${wide} pixels too wide`);
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    const texts = [...element.childNodes].filter((node) => node.nodeType === 3 && node.nodeValue?.trim());
    if (texts.length === 0 || element.closest('.sr, [hidden], dialog:not([open])')) continue;
    const { overflowX, textOverflow } = getComputedStyle(element);
    const cuts = (overflowX === 'hidden' || overflowX === 'clip') && textOverflow !== 'ellipsis';
    if (cuts && element.scrollWidth > element.clientWidth + 1)
      found.push(`"${element.textContent?.slice(0, 40)}" is cut off`);
  }
  return found;
}

/** The problems for those who cannot see or cannot use a mouse. */
async function violations(page: Page, rules: readonly string[]): Promise<string[]> {
  if (rules.length === 0) return [];
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate(
    async (runOnly) => {
      const { axe: run } = globalThis as unknown as { axe: typeof import('axe-core') };
      return run.run(document, { runOnly });
    },
    [...rules],
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
