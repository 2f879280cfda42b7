import { createHmac } from 'node:crypto';
import { fireEvent, screen, waitFor, within } from '@testing-library/preact';
import type { Hubline } from '@hubline/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiOf } from '../support/api-of.ts';
import { dialog, openAs, page } from '../support/open-dashboard.tsx';
import { skipPauses } from '../support/skip-pauses.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
let api: Hubline;
beforeAll(async () => {
  server = await startServer();
  api = apiOf(server);
});
afterAll(() => server.stop());

const write = (field: HTMLElement, value: string) => fireEvent.input(field, { target: { value } });

const DEFINITION = {
  provider: 'acme-ci',
  name: 'Acme CI',
  verification: { kind: 'hmac', header: 'X-Sig' },
  event_type: { from: ['/event'] },
} as const;

it('defines a tool from scratch, with a live preview of a pasted call, and connects it', async () => {
  // The pause while somebody types.
  skipPauses(300);
  const user = await openAs(server, '/w/acme/integrations');
  await page('Integrations');
  await user.click(await screen.findByRole('button', { name: 'Define a tool' }));
  const form = await dialog('Define a tool');
  const definition = form.getByLabelText('Definition');

  write(definition, '{ no JSON');
  await form.findByText('The definition is not JSON yet.', { selector: 'p' });
  write(definition, JSON.stringify({ ...DEFINITION, dedupe_key: ['id'] }));
  const preview = within(form.getByRole('region', { name: 'Preview' }));
  await preview.findByText(/^definition\.dedupe_key\[0\] must be a JSON pointer/);

  const body = '{"event":"build","id":7}';
  write(definition, JSON.stringify({ ...DEFINITION, dedupe_key: ['/id'] }));
  write(form.getByLabelText('Body of a call'), body);
  await preview.findByText('build', { selector: 'dd' });
  await preview.findByText(/^Not checked/);
  write(form.getByLabelText('Secret'), 's3cret');
  await preview.findByText('The call would be refused: the x-sig header is missing');
  const signature = createHmac('sha256', 's3cret').update(body).digest('hex');
  write(form.getByLabelText('Its headers'), `X-Sig: ${signature}`);
  await preview.findByText('The call is genuine');

  await user.click(form.getByRole('button', { name: 'Define' }));
  await user.click(await screen.findByRole('button', { name: 'Connect Acme CI' }));
  const connect = await dialog('Connect Acme CI');
  await user.click(connect.getByRole('button', { name: 'Connect' }));
  const shown = await dialog('Finish setting up Acme CI');
  shown.getByText(/^[\w-]{43}$/);
  const { data } = await api.integrations.list(server.workspaceId);
  expect(data.map(({ provider }) => provider)).toEqual(['acme-ci']);
});

it('begins with a preset, whose sample fills the preview, and shows the URL before it takes the secret', async () => {
  const user = await openAs(server, '/w/acme/integrations');
  await screen.findByRole('option', { name: 'Stripe' });
  await user.selectOptions(screen.getByLabelText('Start from'), 'Stripe');
  await user.click(screen.getByRole('button', { name: 'Define a tool' }));
  const form = await dialog('Define a tool');
  await within(form.getByRole('region', { name: 'Preview' })).findByText('ACME-0042');
  await user.click(form.getByRole('button', { name: 'Define' }));
  await user.click(await screen.findByRole('button', { name: 'Connect Stripe' }));
  await page('Stripe');
  await screen.findByText(/^Stripe has no credentials yet/);
  await screen.findByText(/^Reveal the signing secret/);
});

it('asks before it replaces what a colleague has changed in a definition meanwhile, and keeps their other fields', async () => {
  const { provider_id: id } = await api.providers.create(server.workspaceId, {
    ...DEFINITION,
    provider: 'shared',
    name: 'Shared',
    event_type: { from: ['/event'] },
  });
  const user = await openAs(server, '/w/acme/integrations');
  await user.click(await screen.findByRole('button', { name: 'Edit Shared' }));
  const form = await dialog('Change Shared');
  const text = form.getByLabelText<HTMLTextAreaElement>('Definition');
  write(text, text.value.replace('Shared', 'Mine'));
  await api.providers.update(server.workspaceId, id, { name: 'Theirs', description: 'Builds' });
  await user.click(form.getByRole('button', { name: 'Save' }));
  await form.findByText('Somebody else has changed name meanwhile. Save again to replace it.');
  await user.click(form.getByRole('button', { name: 'Save' }));
  await screen.findByRole('heading', { name: 'Mine' });
  expect(await api.providers.get(server.workspaceId, id)).toMatchObject({
    name: 'Mine',
    description: 'Builds',
  });
  await api.providers.delete(server.workspaceId, id);
});

it('changes a definition, keeps one that is in use, and deletes one that is not', async () => {
  const unused = { ...DEFINITION, provider: 'unused', name: 'Unused', pings: ['ping'] };
  const { provider_id } = await api.providers.create(server.workspaceId, {
    ...unused,
    event_type: { from: ['/event'] },
  });
  const user = await openAs(server, '/w/acme/integrations');
  await user.click(await screen.findByRole('button', { name: 'Edit Unused' }));
  const form = await dialog('Change Unused');
  write(
    form.getByLabelText('Definition'),
    JSON.stringify({ ...DEFINITION, provider: 'unused', name: 'New' }),
  );
  await user.click(form.getByRole('button', { name: 'Save' }));
  await screen.findByRole('heading', { name: 'New' });
  const stored = await api.providers.get(server.workspaceId, provider_id);
  expect(stored).toMatchObject({ name: 'New' });
  expect(stored).not.toHaveProperty('pings');

  await user.click(screen.getByRole('button', { name: 'Delete New' }));
  await user.click((await dialog('Delete the definition of New?')).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'New' })).toBeNull());

  await user.click(await screen.findByRole('button', { name: 'Delete Stripe' }));
  const question = await dialog('Delete the definition of Stripe?');
  await user.click(question.getByRole('button', { name: 'Delete' }));
  await question.findByText(/is used by int_/, { selector: 'p' });
});
