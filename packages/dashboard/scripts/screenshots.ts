/**
 * Takes the pictures for the README and the docs: views of a seeded server, light and dark, in Chromium. The clock stands still in
 * the server and in the page, so that a picture changes only when the dashboard does.
 *
 *   npx -y pnpm@12 screenshots [name …]
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { liveDemo, parseServerConfig, seedDatabase, type SeedOwner, startServer } from '@hubline/server';
import type { BrowserContext, Page } from 'playwright-core';
import { buildDashboard } from '../../../scripts/build-dashboard.ts';
import { root } from '../../../scripts/workspace.ts';
import { executablePath, launch } from '../test/support/browser/chromium.ts';

const NOW = new Date('2026-11-20T09:45:00.000Z');
// The default port, so that the pictures show the URL of a freshly started server.
const PORT = 8787;
const SIZE = { width: 1440, height: 900 };
const THEMES = ['light', 'dark'] as const;
// Keeps text sharp at half the size of a PNG.
const QUALITY = 92;

/** Reads from the API, as the owner. */
type Read = (path: string) => Promise<{ data: { id: string; failing_since: string | null }[] }>;

/** A picture: the page that it shows, and the steps to take on that page first. */
interface Picture {
  path: (read: Read, workspaceId: string) => string | Promise<string>;
  prepare?: (page: Page, owner: SeedOwner) => Promise<void>;
}

const failingWebhook = async (read: Read, workspaceId: string) =>
  (await read(`/webhooks?workspace_id=${workspaceId}`)).data.find((each) => each.failing_since !== null)?.id;

const PICTURES: Readonly<Record<string, Picture>> = {
  overview: { path: () => '/w/fernhill/overview?window=24h' },
  events: {
    path: () => '/w/fernhill/events',
    prepare: async (page) => {
      await page.locator('a.ev').filter({ hasText: 'pull_request' }).first().click();
      await page.getByText('Payload').first().waitFor();
    },
  },
  webhook: { path: async (read, id) => `/w/fernhill/webhooks/${await failingWebhook(read, id)}` },
  delivery: {
    path: async (read, id) => {
      const webhook = await failingWebhook(read, id);
      const failed = await read(`/webhooks/${webhook}/deliveries?status=failed&limit=1`);
      return `/w/fernhill/deliveries/${failed.data[0]?.id}`;
    },
  },
  automation: {
    path: async (read, id) =>
      `/w/fernhill/automations/${(await read(`/workspaces/${id}/automations`)).data[0]?.id}`,
    prepare: (page) => page.getByText('This event starts a run').waitFor(),
  },
  docs: {
    path: () => '/docs/getWorkspaceStats',
    prepare: async (page, { key, workspaceId }) => {
      await page.getByLabel('Your API key').fill(key);
      await page.getByText(workspaceId).first().waitFor();
      await page.getByRole('button', { name: 'Send with your key' }).click();
      await page.getByRole('status').getByText('200').waitFor();
    },
  },
};

if (executablePath === undefined)
  throw new Error('There is no Chromium. Install it, or name it in HUBLINE_BROWSER.');
const only = process.argv.slice(2);
const unknown = only.find((name) => !(name in PICTURES));
if (unknown !== undefined)
  throw new Error(`There is no picture ${unknown}: ${Object.keys(PICTURES).join(', ')}.`);
const folder = process.env['HUBLINE_PICTURES'] ?? join(root, 'docs/images');
mkdirSync(folder, { recursive: true });

const data = mkdtempSync(join(tmpdir(), 'hubline-pictures-'));
try {
  const config = parseServerConfig(
    { data, port: PORT, senders: 0, logLevel: 'error', rateLimit: 1_000_000 },
    {},
  );
  const owner = await seedDatabase(config, { now: NOW });
  if (!owner) throw new Error('The new database has an owner already.');
  const { sender, providerHttp } = liveDemo({ seed: 1 });
  await using server = await startServer(config, {
    dashboard: `${buildDashboard()}/`,
    clock: () => NOW,
    sender,
    providerHttp,
  });
  const read: Read = async (path) => {
    const response = await fetch(server.baseUrl + path, {
      headers: { Authorization: `Bearer ${owner.key}` },
    });
    return (await response.json()) as Awaited<ReturnType<Read>>;
  };
  const browser = await launch();
  try {
    const options = { viewport: SIZE, locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce' } as const;
    for (const colorScheme of THEMES) {
      const context = await browser.newContext({ ...options, colorScheme, baseURL: server.url });
      await context.clock.setFixedTime(NOW);
      await context.addInitScript(() => (performance.now = () => 0));
      await logIn(context, owner);
      for (const [name, picture] of Object.entries(PICTURES)) {
        if (only.length > 0 && !only.includes(name)) continue;
        const page = await context.newPage();
        await page.goto(await picture.path(read, owner.workspaceId));
        await settled(page);
        await picture.prepare?.(page, owner);
        await settled(page);
        writeFileSync(join(folder, `${name}-${colorScheme}.webp`), await shoot(page));
        await page.close();
        console.log(`${name}-${colorScheme}.webp`);
      }
      await context.close();
    }
  } finally {
    await browser.close();
  }
} finally {
  rmSync(data, { recursive: true, force: true });
}

async function logIn(context: BrowserContext, { email, password }: { email: string; password: string }) {
  const page = await context.newPage();
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await page.close();
}

/** Waits until everything that the page requested has loaded. */
async function settled(page: Page): Promise<void> {
  await page.locator('main h1').waitFor();
  await page.locator('[aria-busy=true], [role=progressbar]').first().waitFor({ state: 'detached' });
  // Strings, because this script is type-checked as server code, without the types of a page.
  await page.evaluate('document.fonts.ready.then(() => true)');
  await page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))',
  );
}

async function shoot(page: Page): Promise<Buffer> {
  await page.mouse.move(0, 0);
  const session = await page.context().newCDPSession(page);
  const { data: base64 } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  return Buffer.from(base64, 'base64');
}
