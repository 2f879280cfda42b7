import { fireEvent, screen, waitFor, within } from '@testing-library/preact';
import type { Hubline } from '@hubline/sdk';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { formatDay } from '../../src/components/text/time.tsx';
import { apiOf } from '../support/api-of.ts';
import { address, dialog, openAs, page } from '../support/open-dashboard.tsx';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

const DAY_MS = 86_400_000;

let server: TestServer;
let api: Hubline;
let receiver: Receiver;
beforeAll(async () => {
  [server, receiver] = await Promise.all([startServer(), startReceiver()]);
  api = apiOf(server);
});
afterAll(() => Promise.all([server.stop(), receiver.stop()]));

const publish = (type: string, payload: Record<string, unknown> = {}, more = {}) =>
  api.events.publish(server.workspaceId, { type, payload, ...more });

/** The rows of the timeline: each is a link. */
const rows = () => [...document.querySelectorAll<HTMLElement>('a.ev')];
const types = () => rows().map((row) => row.querySelector('.type')?.textContent);

const rowOf = (type: string) =>
  waitFor(
    () =>
      rows().find((row) => row.querySelector('.type')?.textContent === type) ??
      expect.fail(`No ${type} yet.`),
  );

const openEvents = async (search = '') => {
  const user = await openAs(server, `/w/acme/events${search}`);
  await page('Events');
  return user;
};

/** Waits for something about many rows, without a check after each of their changes. */
const settled = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 200 });

/** Waits until the list has loaded and new events are followed. */
async function live(): Promise<void> {
  await screen.findByText('Live');
  await waitFor(() => expect(document.querySelector('[aria-busy=true]')).toBeNull());
}

it('says how to get events, and shows the first one when it arrives', async () => {
  await openEvents();
  await screen.findByRole('heading', { name: 'No events yet' });
  expect(screen.getByRole('region', { name: 'curl code' }).textContent).toContain(server.workspaceId);
  await live();
  await publish('first', { version: '1.2.3', nested: {} });
  const first = await rowOf('first');
  // It came alone, and is marked for a moment.
  expect(first.classList.contains('new')).toBe(true);
  const row = within(first);
  expect(row.getByText('version: 1.2.3')).toBeTruthy();
  await row.findByText('no webhook');
});

it('says which parameters of an address it does not use, and what it shows instead', async () => {
  await publish('asked-for');
  const user = await openEvents('?range=99d&from=yesterday&since=24h&constructor=1&type=asked-for');
  const notice = within(await screen.findByRole('alert'));
  const said = notice.getAllByText(/is not used/).map((each) => each.textContent);
  expect(said).toEqual([
    'range=99d in the address is not used: it takes 1h, 24h, 7d. Shown instead: any time.',
    'from=yesterday in the address is not used: it takes a time such as 2026-11-28T09:00Z. Shown instead: any time.',
    'since=24h in the address is not used: no page has such a parameter.',
    'constructor=1 in the address is not used: no page has such a parameter.',
  ]);
  await rowOf('asked-for');
  screen.getByRole('button', { name: 'Time: Any time' });
  await user.click(notice.getByRole('button', { name: 'Remove from the address' }));
  await address('/w/acme/events?type=asked-for');
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

it('takes the ends of a time range in either order', async () => {
  const user = await openEvents();
  await user.click(screen.getByRole('button', { name: 'Time: Any time' }));
  fireEvent.input(screen.getByLabelText('From'), { target: { value: '2026-11-21T10:00' } });
  fireEvent.input(screen.getByLabelText('To'), { target: { value: '2026-11-20T10:00' } });
  await user.click(screen.getByRole('button', { name: 'Apply' }));
  await waitFor(() => expect(location.search).toMatch(/from=2026-11-20T.*&to=2026-11-21T/));
  await user.click(screen.getByRole('button', { name: /^Time: .* to / }));
  expect(screen.getByRole('button', { name: 'Any time' }).getAttribute('aria-pressed')).toBe('false');
  await user.keyboard('{Escape}');
  await screen.findByRole('heading', { name: 'No events match' });
});

it('shows the progress of the deliveries of a new event', async () => {
  const webhook = await api.webhooks.create({
    workspace_id: server.workspaceId,
    url: receiver.url,
    events: ['event.created'],
    secret: 'a secret of sixteen',
  });
  await openEvents();
  await live();
  await publish('delivered-event');
  const row = within(await rowOf('delivered-event'));
  await row.findByText('1 delivered');
  await api.webhooks.delete(webhook.id);
});

it('says that it reconnects while the server cannot be reached', async () => {
  await openEvents();
  await live();
  // Not imported earlier, because the client keeps the address of the page that loads it.
  const { reachable } = await import('../../src/api/client.ts');
  onTestFinished(() => void (reachable.value = true));
  reachable.value = false;
  await waitFor(() => expect(screen.getByLabelText('Connection').textContent).toBe('Reconnecting'));
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

it('says once that new events wait, and counts them without a word', async () => {
  const user = await openEvents();
  await live();
  await user.click(screen.getByRole('button', { name: 'Pause' }));
  await publish('counted-1');
  const one = await screen.findByRole('button', { name: '1 new event' });
  expect(one.closest('[role=status]')).toBeNull();
  const said = screen.getByText('New events');
  expect(said.getAttribute('role')).toBe('status');
  await publish('counted-2');
  await screen.findByRole('button', { name: '2 new events' });
  expect(said.textContent).toBe('New events');
});

it('says how many events are listed when more were loaded, and not with each event that arrives', async () => {
  const many = Array.from({ length: 60 }, (_, at) => ({ type: 'many', payload: { at } }));
  const { id } = await api.workspaces.create({ name: 'Many', slug: 'many' });
  await api.events.publishBatch(id, { events: many });
  const user = await openAs(server, '/w/many/events');
  await page('Events');
  await live();
  const said = await screen.findByText('50 so far', { selector: '[role=status]' });
  await api.events.publish(id, { type: 'many', payload: {} });
  await screen.findByText('51 so far');
  expect(said.textContent).toBe('50 so far');
  await user.click(screen.getByRole('button', { name: 'Load more' }));
  await settled(() => expect(rows()).toHaveLength(61));
});

it('does not move the rows while somebody moves through them', async () => {
  const user = await openEvents();
  await live();
  await rowOf('first');
  await user.keyboard('j');
  const before = types();
  await publish('under-the-reader');
  await screen.findByRole('button', { name: '1 new event' });
  expect(types()).toEqual(before);
  const [first] = rows();
  expect(document.activeElement === first).toBe(true);
  await user.click(first ?? document.body);
  const panel = within(await screen.findByRole('complementary', { name: 'Event' }));
  await panel.findByText(before[0] ?? '');
  // The list stays beside it.
  expect(types()).toEqual(before);
});

it('gets the events that it missed when a page that was left is shown again', async () => {
  await openEvents();
  await live();
  window.dispatchEvent(new Event('pagehide'));
  await publish('while-away');
  window.dispatchEvent(new Event('pageshow'));
  await rowOf('while-away');
});

it('has each event once and in order after a reload', async () => {
  const user = await openEvents();
  await live();
  await publish('before-again');
  await rowOf('before-again');
  const before = types();
  await user.keyboard('r');
  await publish('after-again');
  await waitFor(() => expect(types()).toEqual(['after-again', ...before]));
});

it('takes filters from the address, and puts them there', async () => {
  await publish('needle', {}, { source: 'haystack' });
  const user = await openEvents('?type=needle');
  await rowOf('needle');
  expect(types()).toEqual(['needle']);
  await live();
  await publish('other');
  await publish('needle', { second: true });
  await waitFor(() => expect(types()).toEqual(['needle', 'needle']));
  await user.click(screen.getByRole('button', { name: 'Filter' }));
  await user.click(screen.getByRole('button', { name: 'Source' }));
  await user.type(screen.getByLabelText('Source'), 'haystack{Enter}');
  await address('/w/acme/events?type=needle&source=haystack');
  await waitFor(() => expect(types()).toEqual(['needle']));
  await user.click(screen.getByRole('button', { name: 'Filter' }));
  await user.click(screen.getByRole('button', { name: 'Delivery status' }));
  await user.click(screen.getByRole('button', { name: 'Failed' }));
  await screen.findByRole('heading', { name: 'No events match' });
  await user.click(screen.getByRole('button', { name: 'Clear the filters' }));
  await address('/w/acme/events');
  await waitFor(() => expect(types()).toContain('first'));
});

it('follows events after the start of a time range, whatever its time zone', async () => {
  // An hour ago, in a zone whose clocks are ahead: as a text, it is later than now.
  const from = new Date(Date.now() + 4 * 3_600_000).toISOString().replace('Z', '+05:00');
  await openEvents(`?from=${encodeURIComponent(from)}`);
  await live();
  // The list is read again after it went live, and then no more: only the stream brings the second event.
  await publish('in-another-zone');
  await within(await rowOf('in-another-zone')).findByText('no webhook');
  await publish('in-another-zone-too');
  await rowOf('in-another-zone-too');
});

it('follows nothing when the time range has an end', async () => {
  await openEvents('?to=2030-01-01T00:00:00Z');
  await rowOf('first');
  const before = types();
  const { event_id, created_at: since } = await publish('unfollowed');
  // By now, a list that followed the stream would have it.
  const earlier = new Date(Date.parse(since) - 1_000).toISOString();
  for await (const event of api.events.stream(server.workspaceId, { since: earlier })) {
    if (event.event_id === event_id) break;
  }
  expect(types()).toEqual(before);
  expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull();
});

it('shows the message of the API about a filter that it refuses', async () => {
  await openEvents('?status=lost');
  expect((await screen.findByRole('alert')).textContent).toMatch(/delivery_status/);
});

it('shows hostile texts as plain text', async () => {
  const { event_id } = await publish('hostile', { text: '<img src=x onerror=alert(1)>', turn: 'a\u202Eb' });
  await openAs(server, `/w/acme/events/${event_id}`);
  await page('hostile');
  const payload = await screen.findByRole('region', { name: 'Payload of the event' });
  expect(payload.textContent).toContain('<img src=x onerror=alert(1)>');
  expect(payload.textContent).toContain(String.raw`a\u202eb`);
  expect(document.querySelector('img')).toBeNull();
});

it('shows an event of an integration with its summary, and links only to the web', async () => {
  const { ingest } = await api.integrations.connect({
    provider: 'custom',
    workspace_id: server.workspaceId,
    credentials: { verification: 'none' },
  });
  const body = {
    title: 'CPU is hot',
    message: 'CPU is hot',
    severity: 'critical',
    url: 'javascript:alert(1)',
  };
  const response = await fetch(ingest.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { event_id } = (await response.json()) as { event_id: string };
  await openAs(server, `/w/acme/events/${event_id}`);
  await screen.findAllByText('CPU is hot');
  expect(screen.getByText('Critical')).toBeTruthy();
  for (const link of screen.getAllByRole('link'))
    expect(link.getAttribute('href')).not.toMatch(/^javascript/);
});

it('shows the summary of an event, and no secret of its payload', async () => {
  await publish('login', { user: 'ana', password: 'hunter2', token: 'CqCsBJmX' });
  await openEvents('?type=login');
  const table = within(await screen.findByRole('list', { name: 'Events' }));
  await table.findByText('user: ana · password: [redacted] · token: [redacted]');
  expect(document.body.textContent).not.toMatch(/hunter2|CqCsBJmX/);
});

it('lists related events around the same time, and the code that reads the event', async () => {
  await publish('again', { n: 1 });
  const { event_id } = await publish('again', { n: 2 });
  const user = await openAs(server, `/w/acme/events/${event_id}`);
  await user.click(await screen.findByRole('tab', { name: 'Related' }));
  const related = within(await screen.findByRole('group', { name: 'Related events' }));
  expect(related.getByText('n: 1')).toBeTruthy();
  await user.click(screen.getByRole('tab', { name: 'Code' }));
  await user.click(screen.getByRole('tab', { name: 'TypeScript' }));
  expect(screen.getByRole('region', { name: 'TypeScript code' }).textContent).toContain(event_id);
});

it('shows why related events could not be loaded, and loads them on request', async () => {
  const { event_id } = await publish('lonely');
  const user = await openAs(server, `/w/acme/events/${event_id}`);
  const tab = await screen.findByRole('tab', { name: 'Related' });
  const { client } = await import('../../src/api/client.ts');
  const failing = vi.spyOn(client.events, 'list').mockImplementation(() => {
    throw new Error('Out of order.');
  });
  onTestFinished(() => failing.mockRestore());
  await user.click(tab);
  await screen.findByText('Out of order.');
  failing.mockRestore();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('No related events within an hour.');
});

it('says so when the browser refuses to copy a value', async () => {
  const { event_id } = await publish('copied', { text: 'to copy' });
  const user = await openAs(server, `/w/acme/events/${event_id}`);
  const refusal = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('No.'));
  onTestFinished(() => refusal.mockRestore());
  await user.click(await screen.findByText('"to copy"'));
  await screen.findByText('Could not copy. Browsers allow it only over HTTPS and on localhost.');
});

it('shows numbers with every digit that was sent, and finds a value', async () => {
  const response = await fetch(`${server.baseUrl}/workspaces/${server.workspaceId}/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${server.apiKey}` },
    body: '{"type":"exact","payload":{"id":12345678901234567890,"price":1.10,"deep":{"er":{"name":"needle"}}}}',
  });
  const { event_id } = (await response.json()) as { event_id: string };
  const user = await openAs(server, `/w/acme/events/${event_id}`);
  const payload = await screen.findByRole('region', { name: 'Payload of the event' });
  expect(payload.textContent).toContain('12345678901234567890');
  expect(payload.textContent).toContain('1.10');
  expect(payload.textContent).not.toContain('needle');
  await user.click(screen.getByRole('button', { name: 'Search in payload of the event' }));
  await user.type(screen.getByRole('searchbox'), 'needle');
  await waitFor(() => expect(payload.ownerDocument.querySelector('.json mark')?.textContent).toBe('needle'));
});

it('finds a value far down a long list, and says when a payload does not contain a text', async () => {
  const rows = Array.from({ length: 1_000 }, (_, index) => ({ name: `row ${index}` }));
  const { event_id } = await publish('long', { rows });
  const user = await openAs(server, `/w/acme/events/${event_id}`);
  const payload = await screen.findByRole('region', { name: 'Payload of the event' });
  await user.click(screen.getByRole('button', { name: 'Search in payload of the event' }));
  const search = screen.getByRole('searchbox');
  await user.type(search, 'row 997');
  await waitFor(() => expect(payload.querySelector('mark')?.textContent).toBe('row 997'));
  expect(payload.textContent).not.toContain('more');
  await user.clear(search);
  await user.type(search, 'nowhere');
  await within(payload).findByText('Nothing here contains “nowhere”.');
});

it('publishes an event again, changed', async () => {
  const { event_id } = await publish('replayed', { n: 1 });
  const user = await openAs(server, `/w/acme/events/${event_id}`);
  await user.click(await screen.findByRole('button', { name: 'Publish again' }));
  const form = await dialog('Publish again');
  const payload = form.getByLabelText('Payload');
  await user.clear(payload);
  await user.type(payload, '{{"n": 2');
  await user.click(form.getByRole('button', { name: 'Publish again' }));
  await form.findByText('Payload must be a JSON object: check its quotes and commas');
  expect(payload.getAttribute('aria-invalid')).toBe('true');
  await user.type(payload, '}');
  await user.click(form.getByRole('button', { name: 'Publish again' }));
  await page('Events');
  const [newest] = (await api.events.list(server.workspaceId, { type: 'replayed' })).data;
  expect(newest?.payload).toEqual({ n: 2 });
  expect(newest?.event_id).not.toBe(event_id);
});

it('sends an edited event to one webhook, with every digit', async () => {
  const { id } = await api.webhooks.create({
    workspace_id: server.workspaceId,
    url: receiver.url,
    name: 'Billing',
    events: ['event.created'],
    filters: { event_types: ['never'] },
    secret: 'a secret of sixteen',
  });
  const { event_id } = await publish('charged', { amount: 1 });
  const user = await openAs(server, `/w/acme/events/${event_id}`);
  await user.click(await screen.findByRole('button', { name: 'Publish again' }));
  const form = await dialog('Publish again');
  await waitFor(() => form.getByRole('option', { name: 'Billing' }));
  form.getByText('Creates a new event with a new ID.');
  await user.selectOptions(form.getByLabelText('Send to'), 'Billing');
  await dialog('Send test event');
  form.getByText('No event is stored.');
  await user.clear(form.getByLabelText('Payload'));
  await user.type(form.getByLabelText('Payload'), '{{"amount": 12345678901234567890.10}');
  await user.click(form.getByRole('button', { name: 'Send test event' }));
  await waitFor(() => expect(location.pathname).toMatch(/\/deliveries\/dlv_/));
  await waitFor(() => expect(receiver.calls.at(-1)?.body).toContain('"amount":12345678901234567890.10'));
  expect((await api.events.list(server.workspaceId, { type: 'charged' })).data).toHaveLength(1);
  await api.webhooks.delete(id);
});

it.each([
  ['events/evt_', 'event', 'events'],
  ['events?event=evt_', 'event', 'events'],
  ['events?integration=int_', 'integration', 'events'],
  ['deliveries/dlv_', 'delivery', 'deliveries'],
  ['webhooks/whk_', 'webhook', 'webhooks'],
  ['integrations/int_', 'integration', 'integrations'],
  ['automations/aut_', 'automation', 'automations'],
  ['runs/run_', 'run', 'automations'],
  ['notification-rules/nrl_', 'notification rule', 'notification-rules'],
  ['templates/ntp_', 'notification template', 'templates'],
])('explains an ID that nothing has, and links to the list: %s', async (path, noun, list) => {
  await openAs(server, `/w/acme/${path}0000000000000000000000000a`);
  const note = within(await screen.findByRole('alert'));
  note.getByRole('heading', { name: `No such ${noun}` });
  note.getByText(
    /^It may have been deleted, be older than the retention period, or belong to another workspace/,
  );
  expect(note.getByRole('link', { name: 'Show the list' }).getAttribute('href')).toBe(`/w/acme/${list}`);
});

it('knows the deliveries of every row, even of those that were pushed far down', async () => {
  const webhook = await api.webhooks.create({
    workspace_id: server.workspaceId,
    url: receiver.url,
    events: ['event.created'],
    filters: { event_types: ['burst'] },
    secret: 'a secret of sixteen',
  });
  await openEvents('?type=burst');
  await live();
  const events = Array.from({ length: 80 }, (_, n) => ({ type: 'burst', payload: { n } }));
  await api.events.publishBatch(server.workspaceId, { events });
  await settled(() => expect(rows()).toHaveLength(80));
  await settled(() =>
    expect(rows().filter((row) => row.textContent?.includes('1 delivered'))).toHaveLength(80),
  );
  await api.webhooks.delete(webhook.id);
});

it('has a bounded number of rows under a flood, and knows the deliveries of each', async () => {
  const webhook = await api.webhooks.create({
    workspace_id: server.workspaceId,
    url: receiver.url,
    events: ['event.created'],
    filters: { event_types: ['flood'] },
    secret: 'a secret of sixteen',
  });
  await openEvents('?type=flood');
  await live();
  let most = 0;
  const observer = new MutationObserver(() => (most = Math.max(most, rows().length)));
  observer.observe(document.body, { childList: true, subtree: true });
  for (let batch = 0; batch < 5; batch++) {
    const events = Array.from({ length: 100 }, (_, n) => ({
      type: 'flood',
      payload: { n: batch * 100 + n },
    }));
    await api.events.publishBatch(server.workspaceId, { events });
  }
  const text = (row: HTMLElement | undefined) => row?.textContent ?? '';
  await settled(() => expect(text(rows()[0])).toContain('n: 499'));
  await settled(() => expect(rows().filter((row) => !text(row).includes('1 delivered'))).toEqual([]));
  observer.disconnect();
  expect(rows().length).toBeGreaterThanOrEqual(50);
  expect(most).toBeLessThanOrEqual(400);
  await api.webhooks.delete(webhook.id);
});

it('searches events by their texts and by values of their payloads, with the search in the address', async () => {
  await publish('searched', { text: 'Rolled out to Berlin', environment: 'production' });
  await publish('searched.too', { text: 'Rolled out to Oslo', environment: 'staging' });
  const user = await openEvents();
  const counts = () => screen.queryAllByText(/in the last hour/);
  await waitFor(() => expect(counts()).toHaveLength(1));
  await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'berlin{Enter}');
  await address('/w/acme/events?q=berlin');
  await waitFor(() => expect(types()).toEqual(['searched']));
  // The counts would be those of all events.
  expect(counts()).toHaveLength(0);
  await user.keyboard('{Escape}');
  expect(location.search).toBe('');
  await openEvents('?q=payload.environment%3Dstaging');
  await waitFor(() => expect(types()).toEqual(['searched.too']));
});

it('offers to search payloads for words that no other text contains', async () => {
  await publish('ordered', { orders: [{ customer: 'Ana Lima', number: 4711 }] });
  const user = await openEvents();
  await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'ana lima{Enter}');
  const step = vi.spyOn(history, 'pushState');
  onTestFinished(() => step.mockRestore());
  await user.click(await screen.findByRole('button', { name: 'Search payloads' }));
  await address('/w/acme/events?q=payload%3A%22ana+lima%22');
  await waitFor(() => expect(types()).toEqual(['ordered']));
  // Back leads to the search before.
  expect(step).toHaveBeenCalledOnce();
  await openEvents('?q=payload%3A4712');
  await screen.findByText(/No stored events match these filters\. Payloads of more than 64 KiB/);
  expect(screen.queryByRole('button', { name: 'Search payloads' })).toBeNull();
});

it('shows the day above the first event, unless it is today', async () => {
  const { created_at: at } = await publish('day-before-yesterday');
  const day = () => screen.queryByText(formatDay(new Date(at)));
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * DAY_MS });
  await openEvents('?q=day-before-yesterday');
  await rowOf('day-before-yesterday');
  expect(day()).toBeTruthy();
});
