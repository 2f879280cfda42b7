import { screen, waitFor, within } from '@testing-library/preact';
import { Hubline, isAPIError } from '@hubline/sdk';
import { nodeTransport } from '@hubline/sdk/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dialog, openAs, page } from '../support/open-dashboard.tsx';
import { startServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
let api: Hubline;
const clientWith = (apiKey: string) =>
  new Hubline({ apiKey, baseURL: server.baseUrl, transport: nodeTransport(), dangerouslyAllowBrowser: true });
beforeAll(async () => {
  server = await startServer();
  api = clientWith(server.apiKey);
});
afterAll(() => server.stop());

const row = async (name: RegExp) => within(await screen.findByRole('row', { name }));
const openKeys = async () => {
  const user = await openAs(server, '/w/acme/settings/api-keys');
  await page('API keys');
  return user;
};

/** The option for a right on a resource, in the form of a key. */
const right = (form: Awaited<ReturnType<typeof dialog>>, resource: string, name: string) =>
  within(form.getByRole('group', { name: resource })).getByLabelText(name);

/** Reads the key that is shown, and closes its dialog. */
async function takeKey(user: Awaited<ReturnType<typeof openAs>>): Promise<string> {
  const shown = await dialog(/^API key/);
  const key = shown.getByText(/^hl_\w{36}$/).textContent;
  await user.click(shown.getByLabelText('I have saved it'));
  await user.click(shown.getByRole('button', { name: 'Done' }));
  return key;
}

it('creates a key with the chosen scopes and no others, and shows it once', async () => {
  const user = await openKeys();
  await user.click(await screen.findByRole('button', { name: 'New key' }));
  const form = await dialog('New API key');
  await user.type(form.getByLabelText('Name'), 'Importer');
  await user.selectOptions(form.getByLabelText('Maximum role'), 'viewer');
  await user.click(form.getByRole('button', { name: 'Publish only' }));
  await user.click(right(form, 'Events', 'Read'));
  await user.selectOptions(form.getByLabelText('Expires'), '30 days');
  await user.click(form.getByRole('button', { name: 'Create' }));

  const made = clientWith(await takeKey(user));
  await made.events.list(server.workspaceId);
  const refusal = await made.members.list(server.workspaceId).catch((error: unknown) => error);
  expect(isAPIError(refusal, 'forbidden')).toBe(true);
  const shown = await row(/Importer/);
  expect(shown.getByText('events:read')).toBeTruthy();
  expect(shown.getByText('Viewer')).toBeTruthy();
  expect(shown.getByText(/^\w{3} \d+ \w{3}$|^\d+ \w{3} \d{4}$/)).toBeTruthy();
  expect(shown.queryByText(/hl_\w{36}/)).toBeNull();
});

it('removes one right from a new key that may do everything', async () => {
  const user = await openKeys();
  await user.click(await screen.findByRole('button', { name: 'New key' }));
  const form = await dialog('New API key');
  await user.type(form.getByLabelText('Name'), 'Nearly all');
  expect(form.getByRole('button', { name: 'Everything' }).getAttribute('aria-pressed')).toBe('true');
  await user.click(right(form, 'Members', 'None'));
  await user.click(form.getByRole('button', { name: 'Create' }));
  const { scopes } = (await clientWith(await takeKey(user)).me.get()).key;
  expect(scopes).toContain('notifications:write');
  expect(scopes.filter((scope) => /^members|^\*/.test(scope))).toEqual([]);
});

it('shows errors at the name and at the scopes', async () => {
  const user = await openKeys();
  await user.click(await screen.findByRole('button', { name: 'New key' }));
  const form = await dialog('New API key');
  await user.click(form.getByRole('button', { name: 'Publish only' }));
  await user.click(right(form, 'Events', 'None'));
  await user.click(form.getByRole('button', { name: 'Create' }));
  await form.findByText(/^Scopes must name at least one/);
  await waitFor(() => expect(document.activeElement === form.getByLabelText('Name')).toBe(true));
  expect(screen.queryByRole('dialog', { name: /^API key/ })).toBeNull();
});

it('rotates a key, and keeps the old secret valid for the overlap', async () => {
  const { key: before } = await api.apiKeys.create(server.workspaceId, { name: 'Rotated' });
  const user = await openKeys();
  await user.click((await row(/Rotated/)).getByRole('button', { name: 'Rotate Rotated' }));
  const form = await dialog('Rotate Rotated');
  await user.selectOptions(form.getByLabelText('The old secret stops'), 'After an hour');
  await user.click(form.getByRole('button', { name: 'Rotate' }));
  const after = await takeKey(user);
  expect(after).not.toBe(before);
  expect((await clientWith(before).me.get()).key.name).toBe('Rotated');
  expect((await clientWith(after).me.get()).key.name).toBe('Rotated');
});

it('says which choice ends an overlap that refuses another', async () => {
  const { id, key: before } = await api.apiKeys.create(server.workspaceId, { name: 'Twice' });
  await api.apiKeys.rotate(server.workspaceId, id, { overlap_seconds: 60 });
  const user = await openKeys();
  await user.click((await row(/Twice/)).getByRole('button', { name: 'Rotate Twice' }));
  const form = await dialog('Rotate Twice');
  await user.click(form.getByRole('button', { name: 'Rotate' }));
  await form.findByText(
    /^The old secret stops must be “Immediately” until (?!\d{4}-).+, when .* or choose “Immediately”, which ends both/,
  );
  await user.selectOptions(form.getByLabelText('The old secret stops'), 'Immediately');
  await user.click(form.getByRole('button', { name: 'Rotate' }));
  await takeKey(user);
  await expect(clientWith(before).me.get()).rejects.toThrow('unknown');
});

it('changes name, role and scopes, and keeps the scopes that were not touched', async () => {
  const { id } = await api.apiKeys.create(server.workspaceId, {
    name: 'Changed',
    scopes: ['automations:read', 'events:read', 'audit_log:write'],
  });
  const user = await openKeys();
  await user.click((await row(/Changed/)).getByRole('button', { name: 'Edit Changed' }));
  const form = await dialog('Edit Changed');
  await user.clear(form.getByLabelText('Name'));
  await user.type(form.getByLabelText('Name'), 'Renamed');
  await user.selectOptions(form.getByLabelText('Maximum role'), 'member');
  await user.click(right(form, 'Webhooks and deliveries', 'Write'));
  await user.click(right(form, 'Events', 'Both'));
  await user.click(form.getByRole('button', { name: 'Save' }));
  await row(/Renamed/);
  const key = await api.apiKeys.get(server.workspaceId, id);
  expect(key.role).toBe('member');
  expect(key.scopes.toSorted()).toEqual([
    'audit_log:write',
    'automations:read',
    'events:read',
    'events:write',
    'webhooks:write',
  ]);
});

it('renames a key, and keeps the scopes and the role that a colleague gives it in the meantime', async () => {
  const { id } = await api.apiKeys.create(server.workspaceId, { name: 'Shared', scopes: ['events:read'] });
  const user = await openKeys();
  await user.click((await row(/Shared/)).getByRole('button', { name: 'Edit Shared' }));
  const form = await dialog('Edit Shared');
  await api.apiKeys.update(server.workspaceId, id, { scopes: ['webhooks:read'], role: 'viewer' });
  await user.type(form.getByLabelText('Name'), ' by all');
  await user.click(form.getByRole('button', { name: 'Save' }));
  await row(/Shared by all/);
  expect(await api.apiKeys.get(server.workspaceId, id)).toMatchObject({
    scopes: ['webhooks:read'],
    role: 'viewer',
  });
});

it('revokes a key after a question, and offers no more actions for it', async () => {
  const { key } = await api.apiKeys.create(server.workspaceId, { name: 'Lost' });
  const user = await openKeys();
  await user.click((await row(/Lost/)).getByRole('button', { name: 'Revoke Lost' }));
  await user.click((await dialog('Revoke Lost')).getByRole('button', { name: 'Revoke' }));
  await waitFor(async () => expect((await row(/Lost/)).queryByRole('button')).toBeNull());
  const refusal = await clientWith(key)
    .me.get()
    .catch((error: unknown) => error);
  expect(isAPIError(refusal, 'unauthorized')).toBe(true);
});

it('creates and revokes a personal key on the account page', async () => {
  const user = await openAs(server, '/w/acme/account');
  await page('Account');
  await user.click(await screen.findByRole('button', { name: 'New key' }));
  const form = await dialog('New personal API key');
  await user.type(form.getByLabelText('Name'), 'My laptop');
  await user.selectOptions(form.getByLabelText('Expires'), 'Never expires');
  await user.click(form.getByRole('button', { name: 'Create' }));
  const me = await clientWith(await takeKey(user)).me.get();
  expect(me.key).toMatchObject({ workspace_id: null, expires_at: null, scopes: ['*'] });

  await user.click((await row(/My laptop/)).getByRole('button', { name: 'Revoke My laptop' }));
  await user.click((await dialog('Revoke My laptop')).getByRole('button', { name: 'Revoke' }));
  expect(await (await row(/My laptop/)).findByText('Revoked')).toBeTruthy();
});
