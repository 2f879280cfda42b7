import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserOfTests, executablePath } from '../support/browser/chromium.ts';
import { startServer, type TestServer } from '../support/start-server.ts';
import { violations } from '../support/browser/violations.ts';
import { lookAs, openWindow, type TestWindow, tooWide } from '../support/browser/window.ts';

describe.skipIf(executablePath === undefined)('the API reference in Chromium', () => {
  let server: TestServer;
  let context: BrowserContext;
  let window: TestWindow;
  let outside: string[];

  beforeAll(async () => {
    server = await startServer();
    context = await (await browserOfTests()).newContext({ reducedMotion: 'reduce' });
    window = await openWindow(context);
    window.page.on('request', (request) => {
      if (!request.url().startsWith(`${server.url}/`)) outside.push(request.url());
    });
  });
  afterAll(async () => {
    await context?.close();
    await server?.stop();
  });

  /** Loads a page without a login; collects the complaints of the browser and its requests to other hosts. */
  async function open(path: string) {
    outside = [];
    await window.load(server.url + path);
    return { ...window, outside };
  }

  it('shows every operation, obeys the content security policy, and sends no request to other hosts', async () => {
    const { page, complaints, outside } = await open('/docs');
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
  });

  it("sends requests with the reader's own key, in the workspace of that key", async () => {
    const { page, complaints, outside } = await open('/docs/publishEvent');
    const send = page.getByRole('button', { name: /Send with your key/ });
    expect(await send.getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('Your API key').fill(server.apiKey);
    await expect.poll(() => page.getByLabel('id', { exact: true }).inputValue()).toBe(server.workspaceId);
    await page
      .getByRole('textbox', { name: 'Body' })
      .fill('{"type": "deploy.finished", "payload": {"service": "checkout"}}');
    expect(await page.getByRole('region', { name: 'curl code' }).textContent()).toContain(
      `curl '${server.url}/v1/workspaces/${server.workspaceId}/events'`,
    );
    await send.click();
    const response = page.getByRole('status').filter({ hasText: 'Response' });
    await response.getByText('201', { exact: true }).waitFor();
    await response.getByText('deploy.finished').first().waitFor();

    const stored = await fetch(`${server.baseUrl}/workspaces/${server.workspaceId}/events`, {
      headers: { Authorization: `Bearer ${server.apiKey}` },
    });
    expect(await stored.json()).toMatchObject({ data: [{ type: 'deploy.finished' }] });
    expect({ complaints, outside }).toEqual({ complaints: [], outside: [] });
  });

  it('shows the refusal of the server', async () => {
    const { page } = await open('/docs/getMe');
    await page.getByLabel('Your API key').fill('hl_of-somebody-else');
    await page.getByRole('button', { name: /Send with your key/ }).click();
    await page.getByRole('status').getByText('401', { exact: true }).waitFor();
  });

  it('is accessible, wide and narrow, light and dark', async () => {
    const { page } = await open('/docs/createWebhook');
    await page.getByRole('heading', { name: 'Body' }).waitFor();
    for (const view of [
      { width: 1440, colorScheme: 'light' },
      { width: 1024, colorScheme: 'light' },
      { width: 390, colorScheme: 'dark' },
    ] as const) {
      await lookAs(page, view);
      expect(await tooWide(page), `at ${view.width}`).toBe(0);
      expect(await violations(page), `at ${view.width}`).toEqual([]);
    }
  });
});
