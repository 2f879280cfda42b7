import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserOfTests, executablePath } from '../support/browser/chromium.ts';
import { EMAIL, PASSWORD, startServer, type TestServer } from '../support/start-server.ts';
import { logIn } from '../support/browser/window.ts';

/**
 * A fake of the pages and the API of GitHub that OAuth needs: a person decides, a code works once, and PKCE is checked. It keeps the
 * last webhook.
 */
const codes = new Map<string, string>();
let hook = { url: '', secret: '' };
const github = createServer((request, response) => {
  void text(request).then((body) =>
    respond(new URL(request.url ?? '', 'http://github.test'), body, response),
  );
});

/** A fake of Slack, which gives a bot token for a code, and does not support PKCE. */
const slack = createServer((request, response) => {
  const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://slack.test');
  if (pathname !== '/oauth/v2/authorize') {
    const bodies = { '/api/oauth.v2.access': { access_token: 'xoxb-granted', token_type: 'bot' } };
    const given = bodies[pathname as keyof typeof bodies];
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ok: true, ...given }));
    return;
  }
  const back = new URL(query.get('redirect_uri') ?? '');
  back.searchParams.set('state', query.get('state') ?? '');
  back.searchParams.set('code', randomUUID());
  response
    .writeHead(200, { 'content-type': 'text/html' })
    .end(`<h1>Allow Hubline</h1><a href="${back.href}">Allow</a>`);
});

function respond({ pathname, searchParams: query }: URL, body: string, response: ServerResponse): void {
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
  if (pathname === '/repos/octo-org/hello-world/hooks') {
    ({ config: hook } = JSON.parse(body) as { config: typeof hook });
    response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":1}');
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
  let server: TestServer;
  let browser: Browser;
  let owner: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    const listen = async (fake: Server) => {
      await new Promise<void>((resolve) => {
        fake.listen(0, '127.0.0.1', resolve);
      });
      return `http://127.0.0.1:${(fake.address() as AddressInfo).port}`;
    };
    const url = await listen(github);
    const slackUrl = await listen(slack);
    server = await startServer({
      env: {
        HUBLINE_GITHUB_API_URL: url,
        HUBLINE_GITHUB_OAUTH_URL: url,
        HUBLINE_SLACK_API_URL: `${slackUrl}/api`,
        HUBLINE_SLACK_OAUTH_URL: slackUrl,
      },
    });
    browser = await browserOfTests();
    owner = await browser.newContext({ reducedMotion: 'reduce' });
    await logIn(owner, server.url, { email: EMAIL, password: PASSWORD });
    page = await owner.newPage();
  });
  afterAll(async () => {
    await owner?.close();
    await server?.stop();
    github.close();
    slack.close();
  });

  it('connects GitHub from the dashboard on the second try, says why the first failed, and shows the events that it sends', async () => {
    await page.goto(`${server.url}/w/acme/integrations?connect=github`);
    const dialog = page.getByRole('dialog', { name: 'Connect GitHub' });
    await dialog.getByText('Connect with OAuth').click();
    await dialog.getByLabel('Client ID').fill('Iv1.a');
    await dialog.getByLabel('Client secret').fill('of-the-app');
    await dialog.getByRole('button', { name: 'Save and connect' }).click();

    // The person who started the connection is asked only by the provider.
    await page.getByRole('heading', { name: 'Authorize Hubline' }).waitFor();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('alert').filter({ hasText: 'you declined' }).waitFor();

    await page.goto(`${server.url}/w/acme/integrations?connect=github`);
    const oauth = page.locator('.oauth');
    await oauth.getByLabel('Repository').fill('octo-org/hello-world');
    await oauth.getByRole('button', { name: 'Connect in the browser' }).click();
    await page.getByRole('link', { name: 'Authorize' }).click();
    await page.getByRole('heading', { name: 'GitHub', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/w\/acme\/integrations\/int_\w{26}$/);

    // Nobody copied the secret: GitHub has it from the registration of the webhook.
    await page.goto(`${server.url}/w/acme/events`);
    await page.getByRole('status', { name: 'Connection' }).getByText('Live').waitFor();
    const body = JSON.stringify({
      action: 'opened',
      issue: { number: 7, title: 'The rollback hangs', html_url: 'https://github.com/o/h/issues/7' },
      repository: { full_name: 'octo-org/hello-world' },
      sender: { login: 'octocat' },
    });
    const sent = await fetch(hook.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'issues',
        'x-github-delivery': randomUUID(),
        'x-hub-signature-256': `sha256=${createHmac('sha256', hook.secret).update(body).digest('hex')}`,
      },
      body,
    });
    expect(sent.status).toBe(202);
    await page.locator('a.ev', { hasText: 'The rollback hangs' }).waitFor();
  });

  it('connects Slack, whose messages appear on the open page as they are written', async () => {
    await page.goto(`${server.url}/w/acme/integrations?connect=slack`);
    const dialog = page.getByRole('dialog', { name: 'Connect Slack' });
    await dialog.getByText('Connect with OAuth').click();
    const app = dialog.locator('details', { hasText: 'Connect with OAuth' });
    await app.getByLabel('Client ID').fill('123.456');
    await app.getByLabel('Client secret').fill('of-the-app');
    await app.getByLabel('Signing secret').fill('signs-its-calls');
    await app.getByRole('button', { name: 'Save and connect' }).click();
    await page.getByRole('link', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Slack', level: 1 }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';

    await page.goto(`${server.url}/w/acme/events`);
    await page.getByRole('status', { name: 'Connection' }).getByText('Live').waitFor();
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const body = JSON.stringify({
      type: 'event_callback',
      team_id: 'T0ACME',
      event_id: 'Ev0ACME1',
      event: {
        type: 'message',
        channel: 'C0ACME',
        user: 'U0ANA',
        text: 'The rollback is through',
        ts: '1.2',
      },
    });
    const signature = createHmac('sha256', 'signs-its-calls').update(`v0:${timestamp}:${body}`).digest('hex');
    const sent = await fetch(`${server.baseUrl}/ingest/${id}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': `v0=${signature}`,
      },
      body,
    });
    expect(sent.status).toBe(200);
    await page.locator('a.ev', { hasText: 'The rollback is through' }).waitFor();
  });

  it('asks any other person first, and accepts their decision only from their own browser', async () => {
    const response = await fetch(`${server.baseUrl}/integrations/oauth/github/start`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ workspace_id: server.workspaceId }),
    });
    const { url } = (await response.json()) as { url: string };
    const someone = await browser.newPage();
    await someone.goto(url);
    await someone.getByText(`${EMAIL} wants to connect GitHub to the workspace Acme`).waitFor();
    await someone.getByRole('link', { name: 'Continue to GitHub' }).click();
    const back = (await someone.getByRole('link', { name: 'Authorize' }).getAttribute('href')) ?? '';
    const other = await browser.newPage();
    await other.goto(back);
    await other.getByRole('alert').filter({ hasText: 'another browser' }).waitFor();
    await someone.goto(back);
    await someone.getByText('GitHub is connected to the workspace Acme').waitFor();
    await Promise.all([someone.close(), other.close()]);
  });
});
