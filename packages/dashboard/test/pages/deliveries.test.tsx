import { TRIGGERS } from '@hubline/contract/constants';
import { screen, waitFor, within } from '@testing-library/preact';
import type { Hubline } from '@hubline/sdk';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openAs, page } from '../support/open-dashboard.tsx';
import type { Receiver } from '../support/receiver.ts';
import { skipPauses } from '../support/skip-pauses.ts';
import { startReceiving } from '../support/start-receiving.ts';
import type { TestServer } from '../support/start-server.ts';

const TITLE = /^deploy →/;

let server: TestServer;
let api: Hubline;
let receiver: Receiver;
let webhookId: string;
let stop: () => Promise<unknown>;
beforeAll(async () => {
  ({ server, api, receiver, webhookId, stop } = await startReceiving());
});
beforeEach(() => {
  receiver.response = { status: 503, body: '<b>not now</b>' };
});
afterAll(() => stop());

/** Makes a delivery whose first attempt has failed. */
const retrying = async (): Promise<{ id: string; eventId: string }> => {
  const { event_id: eventId } = await api.events.publish(server.workspaceId, {
    type: 'deploy',
    payload: { n: 1 },
  });
  return waitFor(async () => {
    const { data } = await api.deliveries.list(server.workspaceId, { event_id: eventId, status: 'retrying' });
    return { id: data[0]?.id ?? expect.fail('There is no delivery yet.'), eventId };
  });
};

/** Makes a failed delivery: a test call has a single attempt. */
const fail = async (): Promise<string> => {
  const { id } = await api.webhooks.test(webhookId);
  await waitFor(async () => expect((await api.deliveries.get(id)).status).toBe('failed'));
  return id;
};

it('shows each attempt with its request and its response, and the attempts that follow', async () => {
  const { id, eventId } = await retrying();
  const user = await openAs(server, `/w/acme/deliveries/${id}`);
  await page(TITLE);
  const attempts = within(await screen.findByRole('region', { name: 'Attempts' }));
  const [first] = attempts.getAllByRole('listitem');
  expect(first?.textContent).toContain('503');
  // The newest attempt is shown at first, and there may be a second one by now.
  await user.click(attempts.getAllByRole('button')[0] ?? document.body);
  expect(screen.getByRole('region', { name: 'Response body' }).textContent).toBe('<b>not now</b>');
  expect(screen.getByRole('region', { name: 'Response headers' }).textContent).toContain(
    'x-receiver: of the test',
  );
  expect(screen.getByRole('region', { name: 'Request headers' }).textContent).toContain(
    'X-Service-Attempt: 1',
  );
  expect(attempts.getByText('10 min later')).toBeTruthy();
  expect(screen.getByRole('link', { name: eventId })).toBeTruthy();
});

it('shows the body exactly as it was sent', async () => {
  const { id } = await retrying();
  const { request_body: body } = await api.deliveries.get(id);
  const user = await openAs(server, `/w/acme/deliveries/${id}`);
  const [raw] = await screen.findAllByRole('button', { name: 'Raw' });
  await user.click(raw ?? document.body);
  expect(screen.getByRole('region', { name: 'Request body' }).textContent).toBe(body);
});

it.each([
  ['x'.repeat(4_050), false],
  ['€'.repeat(1_500), true],
])('says that a body was cut only if it has 4 KiB', async (body, isCut) => {
  receiver.response = { status: 503, body };
  const id = await fail();
  await openAs(server, `/w/acme/deliveries/${id}`);
  await screen.findByRole('region', { name: 'Response body' });
  expect(screen.queryByText('First 4 KiB of the response') !== null).toBe(isCut);
});

it('says beside an older attempt that the URL is the current one of the webhook', async () => {
  const id = await fail();
  await openAs(server, `/w/acme/deliveries/${id}`);
  await screen.findByRole('region', { name: 'Response body' });
  const note = /webhook was changed after this attempt/;
  expect(screen.queryByText(note)).toBeNull();
  await api.webhooks.update(webhookId, { url: `${receiver.url}/moved` });
  const user = await openAs(server, `/w/acme/deliveries/${id}`);
  await screen.findByText(note);
  await user.click(screen.getByRole('button', { name: 'Copy as curl' }));
  await screen.findByText(
    'The call was copied as curl, with the webhook’s current URL, without its signatures.',
  );
  await api.webhooks.update(webhookId, { url: `${receiver.url}/hook` });
});

it('shows no delivery of another workspace, whose roles may differ', async () => {
  const id = await fail();
  await api.workspaces.create({ name: 'Other', slug: 'other' });
  await openAs(server, `/w/other/deliveries/${id}`);
  await screen.findByText('This belongs to another workspace.');
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
});

it('an empty list names the next step: a webhook, or else an event', async () => {
  const { id } = await api.workspaces.create({ name: 'Empty', slug: 'empty' });
  await openAs(server, '/w/empty/deliveries');
  await screen.findByText(/^Add a webhook, and each of its calls/);
  const webhook = { url: receiver.url, events: ['event.created'], secret: 's3cret' } as const;
  await api.webhooks.create({ ...webhook, workspace_id: id });
  await openAs(server, '/w/empty/deliveries?');
  await screen.findByText(/^Hubline calls your webhooks for each event/);
  expect(screen.queryByText(/^Add a webhook, and each of its calls/)).toBeNull();
  expect(screen.queryByRole('link', { name: 'New webhook' })).toBeNull();
});

it('retries a delivery, and shows the outcome without a reload', async () => {
  // Delays the scheduled retry, so that the manual one comes first.
  receiver.response = { ...receiver.response, headers: { 'retry-after': '3600' } };
  const { id } = await retrying();
  const user = await openAs(server, `/w/acme/deliveries/${id}`);
  receiver.response = { status: 200, body: 'thanks' };
  await user.click(await screen.findByRole('button', { name: 'Retry now' }));
  await screen.findByText('Retry started.');
  await screen.findByText('Delivered');
  expect(screen.getByText(/manual retry/)).toBeTruthy();
});

it('says why a delivery cannot be retried', async () => {
  const id = await fail();
  await api.webhooks.update(webhookId, { status: 'disabled' });
  const user = await openAs(server, `/w/acme/deliveries/${id}`);
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  await screen.findByText(/disabled webhook/);
  await api.webhooks.update(webhookId, { status: 'active' });
});

it('retries a delivery from the list, where its status changes', async () => {
  // The pause between two reads of a list with open deliveries.
  skipPauses(3_000);
  await fail();
  const user = await openAs(server, `/w/acme/deliveries?status=failed&webhook=${webhookId}`);
  await page('Deliveries');
  const before = await screen.findAllByRole('row', { name: /Failed/ });
  receiver.response = { status: 200, body: '' };
  const row = within(before[0] ?? document.body);
  // The row, its box and its button each say which delivery it is.
  expect(row.getByRole('rowheader').textContent).toMatch(/\d:\d/);
  const { host } = new URL(receiver.url);
  const which = `(test )?\\S+ to ${host}/\\S+, .*\\d:\\d\\d`;
  row.getByRole('checkbox', { name: new RegExp(`^Select ${which}`) });
  await user.click(row.getByRole('button', { name: new RegExp(`^Retry ${which}`) }));
  await screen.findByRole('row', { name: /Delivered/ });
  expect(screen.getAllByRole('row', { name: /Failed/ })).toHaveLength(before.length - 1);
});

it('has nothing to retry if nothing failed', async () => {
  const user = await openAs(server, '/w/acme/deliveries?trigger=user.invited');
  await screen.findByRole('heading', { name: 'No deliveries match' });
  await user.click(screen.getByRole('button', { name: 'Retry all failed' }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText('0 failed deliveries');
  expect(dialog.getByRole('button', { name: /^Retry/ }).getAttribute('aria-disabled')).toBe('true');
});

it('filters by every trigger', async () => {
  const user = await openAs(server, '/w/acme/deliveries?trigger=automation.completed');
  await user.click(await screen.findByRole('button', { name: 'Trigger: automation.completed' }));
  const menu = within(screen.getByRole('dialog', { name: 'Trigger: automation.completed' }));
  expect(menu.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(TRIGGERS);
});

it('leaves the arrow keys to the times of a filter, and walks through its ranges with them', async () => {
  const user = await openAs(server, '/w/acme/deliveries');
  await user.click(await screen.findByRole('button', { name: 'Time: Any time' }));
  const menu = within(screen.getByRole('dialog', { name: 'Time: Any time' }));
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(menu.getByRole('button', { name: 'Last hour' }));
  const from = menu.getByLabelText('From');
  from.focus();
  await user.keyboard('{ArrowUp}');
  expect(document.activeElement).toBe(from);
});

it('retries the chosen deliveries together', async () => {
  await Promise.all([fail(), fail()]);
  receiver.response = { status: 200, body: '' };
  const user = await openAs(server, `/w/acme/deliveries?status=failed&webhook=${webhookId}`);
  await page('Deliveries');
  const boxes = await screen.findAllByRole('checkbox', { name: /^Select event\.created/ });
  for (const box of boxes.slice(0, 2)) await user.click(box);
  const bar = within(screen.getByRole('region', { name: 'Selected deliveries' }));
  expect(bar.getByText('2 selected')).toBeTruthy();
  await user.click(bar.getByRole('button', { name: 'Retry 2' }));
  await screen.findByText('2 deliveries queued for a retry.');
  expect(screen.queryByRole('region', { name: 'Selected deliveries' })).toBeNull();
});

it('stays in the list, however far down, when a delivery there is retried', async () => {
  const event = { type: 'long.list', payload: {} };
  await api.events.publishBatch(server.workspaceId, { events: Array.from({ length: 60 }, () => event) });
  const user = await openAs(server, '/w/acme/deliveries?type=long.list');
  await user.click(await screen.findByRole('button', { name: 'Load more' }));
  const boxes = () => screen.getAllByRole('checkbox', { name: /^Select long\.list/ });
  await waitFor(() => expect(boxes()).toHaveLength(60));
  receiver.response = { status: 200, body: '' };
  await user.click(boxes().at(-1) ?? document.body);
  await user.click(await screen.findByRole('button', { name: 'Retry 1' }));
  await screen.findByText('1 delivery queued for a retry.');
  await waitFor(() => expect(boxes().at(-1)?.closest('tr')?.textContent).toContain('Delivered'));
  expect(boxes()).toHaveLength(60);
});

it('groups failures by cause', async () => {
  await retrying();
  await openAs(server, `/w/acme/deliveries?view=cause&webhook=${webhookId}`);
  const row = within(await screen.findByRole('row', { name: /Service Unavailable/ }));
  expect(row.getByText('503')).toBeTruthy();
  expect(await row.findByRole('button', { name: /^Retry [1-9]/ })).toBeTruthy();
});

it('lets a viewer see everything and retry nothing', async () => {
  const email = 'vic@example.com';
  const { invite_url } = await api.members.invite(server.workspaceId, { email, role: 'viewer' });
  const password = 'the password of Vic';
  await api.invitations.accept({ token: new URL(invite_url).searchParams.get('token') ?? '', password });
  const { id } = await retrying();
  await openAs(server, `/w/acme/deliveries/${id}`, [email, password]);
  await page(TITLE);
  const retry = await screen.findByRole('button', { name: /^Retry now/ });
  expect(retry.title).toBe('Only owners and admins can do this.');
});
