// @vitest-environment node
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executablePath, launch } from '../support/chromium.ts';
import { EMAIL, PASSWORD, type Place, startServer } from '../support/start-server.ts';

/** GitHub's pages and API as far as OAuth needs them: a person decides, a code counts once, and PKCE is checked. */
const codes = new Map<string, string>();
const github = createServer((request, response) => {
  void text(request).then((body) => answer(new URL(request.url ?? '', 'http://github.test'), body, response));
});

function answer({ pathname, searchParams: query }: URL, body: string, response: ServerResponse): void {
  const json = (value: object) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  if (pathname === '/login/oauth/authorize') {
    const back = new URL(query.get('redirect_uri') ?? '');
    back.searchParams.set('state', query.get('state') ?? '');
    const refused = `${back.href}&error=access_denied`;
    const code = randomUUID();
    codes.set(code, query.get('code_challenge') ?? '');
    back.searchParams.set('code', code);
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<h1>Authorize Hubline</h1><a href="${back.href}">Authorize</a> <a href="${refused}">Cancel</a>`);
    return;
  }
  if (pathname !== '/login/oauth/access_token') return void json({ login: 'octocat' });
  const fields = new URLSearchParams(body);
  const code = fields.get('code') ?? '';
  const challenge = createHash('sha256')
    .update(fields.get('code_verifier') ?? '')
    .digest('base64url');
  const isGood = codes.get(code) === challenge && fields.get('client_secret') === 'of-the-app';
  codes.delete(code);
  json(isGood ? { access_token: 'gho_granted', token_type: 'bearer' } : { error: 'bad_verification_code' });
}

describe.skipIf(executablePath === undefined)('OAuth in Chromium', () => {
  let place: Place;
  let browser: Browser;

  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      github.listen(0, '127.0.0.1', resolve);
    });
    const url = `http://127.0.0.1:${(github.address() as AddressInfo).port}`;
    place = await startServer({ env: { HUBLINE_GITHUB_API_URL: url, HUBLINE_GITHUB_OAUTH_URL: url } });
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await place?.stop();
    github.close();
  });

  it('connects GitHub from the dashboard, says why it did not, and connects it the next time', async () => {
    const page = await browser.newPage();
    await page.goto(`${place.url}/w/acme/integrations?connect=github`);
    await page.getByLabel('Email').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    const dialog = page.getByRole('dialog', { name: 'Connect GitHub' });
    await dialog.getByText('Connect by OAuth').click();
    await dialog.getByLabel('Client ID').fill('Iv1.a');
    await dialog.getByLabel('Client secret').fill('of-the-app');
    await dialog.getByRole('button', { name: 'Save and connect' }).click();

    // Whoever started it is asked by the provider alone.
    await page.getByRole('heading', { name: 'Authorize Hubline' }).waitFor();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('alert').filter({ hasText: 'you declined' }).waitFor();

    await page.goto(`${place.url}/w/acme/integrations?connect=github`);
    await page.getByRole('button', { name: 'Connect in the browser' }).click();
    await page.getByRole('link', { name: 'Authorize' }).click();
    await page.getByRole('heading', { name: 'GitHub', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/w\/acme\/integrations\/int_\w{26}$/);
    await page.close();
  });

  it('asks anybody else first, and their answer counts only in their browser', async () => {
    const response = await fetch(`${place.baseUrl}/integrations/oauth/github/start`, {
      method: 'POST',
      headers: { authorization: `Bearer ${place.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ workspace_id: place.workspaceId }),
    });
    const { url } = (await response.json()) as { url: string };
    const page = await (await browser.newContext()).newPage();
    await page.goto(url);
    await page.getByText(`${EMAIL} wants to connect GitHub to the workspace Acme`).waitFor();
    await page.getByRole('link', { name: 'Go on to GitHub' }).click();
    const back = (await page.getByRole('link', { name: 'Authorize' }).getAttribute('href')) ?? '';
    const other = await (await browser.newContext()).newPage();
    await other.goto(back);
    await other.getByRole('alert').filter({ hasText: 'another browser' }).waitFor();
    await page.goto(back);
    await page.getByText('GitHub is connected to the workspace Acme').waitFor();
  });
});
