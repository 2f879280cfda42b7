import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserOfTests, executablePath } from '../support/browser/chromium.ts';
import { startUnowned } from '../support/start-server.ts';

const hasCurl = spawnSync('curl', ['--version']).status === 0;

describe.skipIf(executablePath === undefined || !hasCurl)('the first run in Chromium', () => {
  let server: Awaited<ReturnType<typeof startUnowned>>;
  let browser: Browser;
  const calls: string[] = [];
  const receiver = createServer((request, response) => {
    calls.push(String(request.headers['x-service-event']));
    response.writeHead(204).end();
  });

  beforeAll(async () => {
    await once(receiver.listen(0, '127.0.0.1'), 'listening');
    server = await startUnowned();
    browser = await browserOfTests();
  });
  afterAll(async () => {
    await server?.stop();
    receiver.close();
  });

  it('leads from the setup link to the first delivered event, with the command that the page shows', async () => {
    const page = await browser.newPage({ reducedMotion: 'reduce' });
    await page.goto(server.setupUrl);
    await page.getByLabel('Your email address').fill('ana@acme.test');
    await page.getByLabel('Your password for the dashboard').fill('correct horse battery');
    await page.getByLabel('Name of the first workspace').fill('Acme');
    await page.getByLabel('Its slug').fill('acme');
    await page.getByRole('button', { name: 'Create owner and workspace' }).click();
    const key = (await page.getByText(/^hl_\w{36}$/).textContent()) ?? '';
    await page.getByRole('link', { name: 'Open the dashboard' }).click();

    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByRole('link', { name: 'Register a URL' }).click();
    const dialog = page.getByRole('dialog', { name: 'New webhook' });
    const { port } = receiver.address() as AddressInfo;
    await dialog.getByLabel('URL').fill(`http://127.0.0.1:${port}/`);
    await dialog.getByRole('button', { name: 'Create' }).click();
    const secret = page.getByRole('dialog', { name: 'Signing secret' });
    await secret.getByLabel('I have saved it').check();
    await secret.getByRole('button').last().click();

    await page.goto(`${server.url}/w/acme/overview`);
    const command = await steps.getByRole('region', { name: 'curl code' }).textContent();
    await promisify(execFile)('sh', ['-c', command ?? ''], { env: { ...process.env, HUBLINE_API_KEY: key } });
    await steps.getByRole('heading', { name: 'Bring in events (done)' }).waitFor();
    await expect.poll(() => calls).toEqual(['event.created']);
    await page.goto(`${server.url}/w/acme/deliveries`);
    await page.getByRole('row').filter({ hasText: 'deploy' }).getByText('204').waitFor();
    await page.close();
  });
});
