// @vitest-environment node
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executablePath, launch } from '../support/chromium.ts';
import { type Place, startServer } from '../support/start-server.ts';

describe.skipIf(executablePath === undefined)('the API reference in Chromium', () => {
  let place: Place;
  let browser: Browser;

  beforeAll(async () => {
    place = await startServer();
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await place?.stop();
  });

  /** The page for somebody who is not logged in, with all that the browser complains about and asks for. */
  async function open(path: string, options: Parameters<Browser['newContext']>[0] = {}) {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    const complaints: string[] = [];
    const outside: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(`${place.url}/`)) outside.push(request.url());
    });
    await page.goto(place.url + path);
    return { page, complaints, outside, close: () => context.close() };
  }

  it('shows every operation, keeps to the policy of the page, and asks nobody else', async () => {
    const { page, complaints, outside, close } = await open('/docs');
    const count = page.getByText(/^v1, \d+ operations$/);
    await count.waitFor();
    const links = page.getByRole('navigation', { name: 'Operations' }).getByRole('link');
    expect(`v1, ${await links.count()} operations`).toBe(await count.textContent());
    await page.getByRole('searchbox', { name: 'Find an operation' }).fill('publish event');
    await page.getByRole('link', { name: /Publish an event/ }).click();
    await page.getByRole('heading', { name: 'Publish an event' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/docs/publishEvent');
    await page.locator('.state', { hasText: 'events:write' }).waitFor();
    expect({ complaints, outside }).toEqual({ complaints: [], outside: [] });
    await close();
  });

  it("sends requests with the reader's own key, in the workspace of that key", async () => {
    const { page, complaints, outside, close } = await open('/docs/publishEvent');
    const send = page.getByRole('button', { name: /Send with your key/ });
    expect(await send.getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('Your API key').fill(place.apiKey);
    await expect.poll(() => page.getByLabel('id', { exact: true }).inputValue()).toBe(place.workspaceId);
    await page
      .getByRole('textbox', { name: 'Body' })
      .fill('{"type": "deploy.finished", "payload": {"service": "checkout"}}');
    expect(await page.getByRole('region', { name: 'curl code' }).textContent()).toContain(
      `-X POST '${place.url}/v1/workspaces/${place.workspaceId}/events'`,
    );
    await send.click();
    const answer = page.getByRole('status').filter({ hasText: 'Response' });
    await answer.getByText('201', { exact: true }).waitFor();
    await answer.getByText('deploy.finished').first().waitFor();

    const stored = await fetch(`${place.baseUrl}/workspaces/${place.workspaceId}/events`, {
      headers: { Authorization: `Bearer ${place.apiKey}` },
    });
    expect(await stored.json()).toMatchObject({ data: [{ type: 'deploy.finished' }] });
    expect({ complaints, outside }).toEqual({ complaints: [], outside: [] });
    await close();
  });

  it('says what the server refuses', async () => {
    const { page, close } = await open('/docs/getMe');
    await page.getByLabel('Your API key').fill('hl_of-somebody-else');
    await page.getByRole('button', { name: /Send with your key/ }).click();
    await page.getByRole('status').getByText('401', { exact: true }).waitFor();
    await close();
  });

  it.each([
    [1440, 'light'],
    [1440, 'dark'],
    [1024, 'light'],
    [390, 'dark'],
  ] as const)('has no barriers at %i pixels, %s', async (width, colorScheme) => {
    const { page, close } = await open('/docs/createWebhook', {
      viewport: { width, height: 900 },
      colorScheme,
    });
    await page.getByRole('heading', { name: 'Body' }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    await close();
  });
});

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    return axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] });
  });
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
