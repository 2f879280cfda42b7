import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join as pathOf } from 'node:path';
import { text } from 'node:stream/consumers';
import { screen } from '@testing-library/preact';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { apiOf } from '../support/api-of.ts';
import { dialog, openAs, page } from '../support/open-dashboard.tsx';
import { startReceiver } from '../support/receiver.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
/** A folder outside the repository, without any configuration. */
const folder = mkdtempSync(pathOf(tmpdir(), 'hubline-paste-'));
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.stop();
});

/** The snippet of the page with this name, as it is copied. */
async function snippet(name: string): Promise<string> {
  return (await screen.findByRole('region', { name: `${name} code` })).textContent;
}

/** Runs a pasted text in a shell, with an API key in the environment. */
async function output(script: string): Promise<string> {
  const child = spawn('sh', ['-ec', script], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HUBLINE_API_KEY: server.apiKey,
      HUBLINE_CONFIG_DIR: folder,
      HUBLINE_KEYCHAIN: 'off',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const out = await text(child.stdout);
  expect(await closed, script).toEqual([0, null]);
  return out;
}

/** Adds an admin who is not the operator. */
async function join(email: string): Promise<[email: string, password: string]> {
  const api = apiOf(server);
  const { invite_url: link } = await api.members.invite(server.workspaceId, { email, role: 'admin' });
  const password = `the password of ${email}`;
  await api.invitations.accept({ token: new URL(link).searchParams.get('token') ?? '', password });
  return [email, password];
}

const LISTS = [
  ['automations', 'Automations', () => apiOf(server).automations.list(server.workspaceId)],
  [
    'notification-rules',
    'Notification rules',
    () => apiOf(server).notificationRules.list(server.workspaceId),
  ],
  ['templates', 'Templates', () => apiOf(server).notificationTemplates.list(server.workspaceId)],
] as const;

it.each(LISTS)('creates the first of %s with the command on the empty page', async (path, title, list) => {
  await openAs(server, `/w/acme/${path}`);
  await page(title);
  await output(await snippet('command line'));
  expect((await list()).data).toHaveLength(1);
});

it('forwards events to the port of a developer, and prints an event', async () => {
  const { calls, url, stop } = await startReceiver();
  onTestFinished(stop);
  await openAs(server, '/w/acme/webhooks');
  await page('Webhooks');
  const command = await snippet('command line');
  const event = { type: 'pasted', payload: { order: 4711 } };
  const { event_id: id } = await apiOf(server).events.publish(server.workspaceId, event);
  const here = command.replace('localhost:3000', new URL(url).host);
  // With these flags, it includes earlier events, and ends by itself.
  await output(`${here} --since 2020-01-01T00:00:00Z --limit 1`);
  expect(calls[0]?.body).toContain(id);

  const user = await openAs(server, `/w/acme/events/${id}`);
  await user.click(await screen.findByRole('tab', { name: 'Code' }));
  await user.click(await screen.findByRole('tab', { name: 'command line' }));
  expect(await output(await snippet('command line'))).toContain('4711');
});

it('logs in with a new key', async () => {
  const user = await openAs(server, '/w/acme/settings/api-keys');
  await user.click(await screen.findByRole('button', { name: 'New key' }));
  const form = await dialog('New API key');
  await user.type(form.getByLabelText('Name'), 'laptop');
  await user.click(form.getByRole('button', { name: 'Create' }));
  const shown = await dialog(/^API key/);
  await user.click(shown.getByRole('tab', { name: 'command line' }));
  const login = await snippet('command line');
  // Without --with-key, it asks for the key on a terminal.
  expect(await output(`echo ${server.apiKey} | ${login} --with-key`)).toContain('owner@example.com');
});

it('backs the server up, and starts it with backups, with commands that name its storage', async () => {
  const user = await openAs(server, '/w/acme/health');
  await page('Health');
  await output(await snippet('Now'));
  const [backup] = (await apiOf(server).workspaces.health(server.workspaceId)).server?.backups ?? [];
  expect(backup?.present).toBe(true);
  rmSync(dirname(String(backup?.path)), { recursive: true });
  await user.click(screen.getByRole('tab', { name: 'Every day' }));
  const start = await snippet('Every day');
  // The dry run names the data directory of the server.
  expect(await output(`${start} --dry-run`)).toContain(dirname(String(backup?.path)).replace('-backups', ''));
});

it('shows paths of the server to its operator only, and a command for any machine to others', async () => {
  await openAs(server, '/w/acme/webhooks');
  await page('Webhooks');
  expect(await snippet('command line')).toContain(process.execPath);
  await openAs(server, '/w/acme/webhooks', await join('li@example.com'));
  await page('Webhooks');
  expect(await snippet('command line')).toMatch(/^npx -y hubline listen /);
});
