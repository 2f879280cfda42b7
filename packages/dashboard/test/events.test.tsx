import { screen, waitFor, within } from '@testing-library/preact';
import type { Hubline } from '@hubline/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiOf } from './support/api-of.ts';
import { address, openAs, page } from './support/open-dashboard.tsx';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { type Place, startServer } from './support/start-server.ts';

let place: Place;
let api: Hubline;
let receiver: Receiver;
beforeAll(async () => {
  [place, receiver] = await Promise.all([startServer(), startReceiver()]);
  api = apiOf(place);
});
afterAll(() => Promise.all([place.stop(), receiver.stop()]));

const publish = (type: string, payload: Record<string, unknown> = {}, more = {}) =>
  api.events.publish(place.workspaceId, { type, payload, ...more });

const types = () =>
  screen
    .queryAllByRole('row')
    .slice(1)
    .map((row) => row.querySelector('td')?.textContent);

const openEvents = async (search = '') => {
  const user = await openAs(place, `/w/acme/events${search}`);
  await page('Events');
  return user;
};

const live = () => screen.findByText('Live');

it('says how there will be events, and shows the first one when it comes', async () => {
  await openEvents();
  await screen.findByRole('heading', { name: 'No events yet' });
  expect(screen.getByRole('region', { name: 'curl code' }).textContent).toContain(place.workspaceId);
  await live();
  await publish('first', { version: '1.2.3', nested: {} });
  const row = within(await screen.findByRole('row', { name: /^first/ }));
  expect(row.getByText('version: 1.2.3')).toBeTruthy();
  await row.findByText('no webhook');
});

it('shows how the deliveries of a new event get on', async () => {
  const webhook = await api.webhooks.create({
    workspace_id: place.workspaceId,
    url: receiver.url,
    events: ['event.created'],
    secret: 'a secret of sixteen',
  });
  await openEvents();
  await live();
  await publish('delivered-event');
  const row = within(await screen.findByRole('row', { name: /^delivered-event/ }));
  await row.findByText(/delivered$/i);
  await api.webhooks.delete(webhook.id);
});

it('keeps new events back while it is paused, counts them, and shows them in order', async () => {
  const user = await openEvents();
  await live();
  await user.click(screen.getByRole('button', { name: 'Pause' }));
  await publish('while-paused-1');
  await publish('while-paused-2');
  const more = await screen.findByRole('button', { name: '2 new events' });
  expect(types()).not.toContain('while-paused-1');
  await user.click(more);
  await waitFor(() => expect(types().slice(0, 2)).toEqual(['while-paused-2', 'while-paused-1']));
  expect(screen.getByRole('button', { name: 'Pause' })).toBeTruthy();
});

it('does not move the rows under somebody who walks through them', async () => {
  const user = await openEvents();
  await live();
  await screen.findAllByRole('link', { name: 'first' });
  await user.keyboard('j');
  const before = types();
  await publish('under-the-reader');
  await screen.findByRole('button', { name: '1 new event' });
  expect(types()).toEqual(before);
  await user.keyboard('{Enter}');
  await page(before[0] ?? '');
});

it('has each event once and in order after it was loaded again', async () => {
  const user = await openEvents();
  await live();
  await publish('before-again');
  await screen.findByRole('row', { name: /^before-again/ });
  const before = types();
  await user.keyboard('r');
  await publish('after-again');
  await waitFor(() => expect(types()).toEqual(['after-again', ...before]));
});

it('filters by the address, and says it there', async () => {
  await publish('needle', {}, { source: 'haystack' });
  const user = await openEvents('?type=needle');
  await screen.findByRole('row', { name: /^needle/ });
  expect(types()).toEqual(['needle']);
  await live();
  await publish('other');
  await publish('needle', { second: true });
  await waitFor(() => expect(types()).toEqual(['needle', 'needle']));
  await user.type(screen.getByLabelText('Source'), 'haystack{Enter}');
  await address('/w/acme/events?type=needle&source=haystack');
  await waitFor(() => expect(types()).toEqual(['needle']));
  await user.selectOptions(screen.getByLabelText('Delivery status'), 'Failed');
  await screen.findByRole('heading', { name: 'No events match' });
  await user.click(screen.getByRole('button', { name: 'Clear the filters' }));
  await address('/w/acme/events');
  await waitFor(() => expect(types()).toContain('first'));
});

it('follows nothing when the time range has an end', async () => {
  await openEvents('?to=2030-01-01T00:00:00Z');
  await screen.findByRole('row', { name: /^first/ });
  const before = types();
  const { event_id, created_at: since } = await publish('unfollowed');
  // The list has it by now.
  const earlier = new Date(Date.parse(since) - 1_000).toISOString();
  for await (const event of api.events.stream(place.workspaceId, { since: earlier })) {
    if (event.event_id === event_id) break;
  }
  expect(types()).toEqual(before);
  expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull();
});

it('says what the API says about a filter that it refuses', async () => {
  await openEvents('?status=lost');
  expect((await screen.findByRole('alert')).textContent).toMatch(/delivery_status/);
});

it('shows hostile texts as texts', async () => {
  const { event_id } = await publish('hostile', { text: '<img src=x onerror=alert(1)>', turn: 'a\u202Eb' });
  await openAs(place, `/w/acme/events/${event_id}`);
  await page('hostile');
  const payload = await screen.findByRole('region', { name: 'Payload of the event' });
  expect(payload.textContent).toContain('<img src=x onerror=alert(1)>');
  expect(payload.textContent).toContain(String.raw`a\u202eb`);
  expect(document.querySelector('img')).toBeNull();
});

it('shows an event of an integration with its summary, and no link but to the web', async () => {
  const { ingest } = await api.integrations.connect({
    provider: 'custom',
    workspace_id: place.workspaceId,
    credentials: { verification: 'none' },
  });
  const body = {
    title: 'CPU is hot',
    message: 'CPU is hot',
    severity: 'critical',
    url: 'javascript:alert(1)',
  };
  const answer = await fetch(ingest.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { event_id } = (await answer.json()) as { event_id: string };
  await openAs(place, `/w/acme/events/${event_id}`);
  await screen.findAllByText('CPU is hot');
  expect(screen.getByText('Critical')).toBeTruthy();
  for (const link of screen.getAllByRole('link'))
    expect(link.getAttribute('href')).not.toMatch(/^javascript/);
});

it('shows of an event what its summary says, and no secret of its payload', async () => {
  await publish('login', { user: 'ana', password: 'hunter2', token: 'CqCsBJmX' });
  await openEvents('?type=login');
  const table = within(await screen.findByRole('table', { name: 'Events' }));
  await table.findByText('user: ana · password: [redacted] · token: [redacted]');
  expect(document.body.textContent).not.toMatch(/hunter2|CqCsBJmX/);
});

it('names what happened to the same thing around the same time, and how a program reads it', async () => {
  await publish('again', { n: 1 });
  const { event_id } = await publish('again', { n: 2 });
  const user = await openAs(place, `/w/acme/events/${event_id}`);
  const related = within(await screen.findByRole('table', { name: 'Related events' }));
  expect(related.getByText('n: 1')).toBeTruthy();
  await user.click(screen.getByRole('tab', { name: 'TypeScript' }));
  expect(screen.getByRole('region', { name: 'TypeScript code' }).textContent).toContain(event_id);
});

it('says that there is no such event', async () => {
  await openAs(place, '/w/acme/events/evt_0000000000000000000000000a');
  expect((await screen.findByRole('alert')).textContent).toMatch(/No such event/);
});
