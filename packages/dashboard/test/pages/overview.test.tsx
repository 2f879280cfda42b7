import { screen, waitFor, within } from '@testing-library/preact';
import type { Hubline } from '@hubline/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiOf } from '../support/api-of.ts';
import { address, openAs, page } from '../support/open-dashboard.tsx';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { skipPauses } from '../support/skip-pauses.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
let api: Hubline;
let working: Receiver;
let broken: Receiver;
beforeAll(async () => {
  [server, working, broken] = await Promise.all([startServer(), startReceiver(), startReceiver()]);
  api = apiOf(server);
});
afterAll(async () => {
  await Promise.all([working.stop(), broken.stop()]);
  await server.stop();
});

const step = async (name: RegExp) =>
  within((await screen.findByRole('heading', { level: 3, name })).closest('li') ?? document.body);

it('shows the first steps in a new workspace, and ticks those that are done', async () => {
  // The pause between two reads of the steps.
  skipPauses(3_000);
  await openAs(server, '/w/acme/overview');
  await page('Overview');
  const first = await step(/^Bring in events/);
  const line = first.getByRole('region', { name: 'curl code' }).textContent;
  expect(line).toContain(`curl '${server.baseUrl}/workspaces/${server.workspaceId}/events'`);
  expect(first.getByRole('link', { name: 'Connect a tool' }).getAttribute('href')).toBe(
    '/w/acme/integrations',
  );

  // Runs the line without a shell.
  const [, body = ''] = /-d '(.*)'/.exec(line) ?? [];
  const response = await fetch(/curl '(\S+)'/.exec(line)?.[1] ?? '', {
    method: 'POST',
    headers: { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' },
    body,
  });
  expect(response.status).toBe(201);
  await step(/^Bring in events \(done\)/);
  const webhook = await step(/^Create a webhook$/);
  expect(webhook.getByRole('region', { name: 'command line code' }).textContent).toContain(' listen ');
  const people = await step(/^Invite people$/);
  expect(people.getByRole('link', { name: 'Invite' }).getAttribute('href')).toBe('/w/acme/members');
  // There is no earlier day to compare with.
  expect(screen.queryByText(/^vs\./)).toBeNull();
});

it('hides the first steps on request, also the next time', async () => {
  const user = await openAs(server, '/w/acme/overview');
  await page('Overview');
  await user.click(await screen.findByRole('button', { name: 'Hide' }));
  expect(screen.queryByText('First steps')).toBeNull();
  expect(localStorage.getItem(`hubline.first-steps.${server.workspaceId}`)).toBe('hidden');
});

it('shows the numbers of the window, with the webhooks in trouble first', async () => {
  broken.response = { status: 410, body: '' };
  const make = (url: string) =>
    api.webhooks.create({
      workspace_id: server.workspaceId,
      url,
      events: ['event.created'],
      secret: 'my-signing-secret',
    });
  await make(`${working.url}/hooks`);
  const { id } = await make(`${broken.url}/hooks`);
  for (let sent = 0; sent < 3; sent++)
    await api.events.publish(server.workspaceId, { type: 'deploy', payload: {} });
  await waitFor(async () => expect((await api.webhooks.get(id)).status).toBe('disabled'));
  await waitFor(async () => {
    const { attempts } = await api.workspaces.stats(server.workspaceId);
    expect(attempts.succeeded).toBe(3);
  });

  const user = await openAs(server, '/w/acme/overview?window=1h');
  await page('Overview');
  const value = (label: string) =>
    within(screen.getByRole('main')).getByText(label).nextElementSibling?.textContent;
  const { events } = await api.workspaces.stats(server.workspaceId);
  await waitFor(() => expect(value('Events')).toBe(String(events)));
  expect(value('Delivered')).toBe('3');
  expect(value('Failed deliveries')).toBe('0');

  const health = within(await screen.findByRole('region', { name: 'Webhook health' }));
  const [first, second] = health.getAllByRole('link').slice(1);
  expect(first?.getAttribute('href')).toBe(`/w/acme/webhooks/${id}`);
  expect(within(first ?? document.body).getByLabelText('Disabled: responded with 410')).toBeTruthy();
  expect(first?.textContent).toContain('0%');
  expect(second?.textContent).toContain('100%');
  const attention = within(screen.getByRole('region', { name: 'Needs attention' }));
  expect(attention.getByRole('link').textContent).toMatch(/is disabled.*410 Gone.*since (\D.*)?\d\d:\d\d$/);

  const sources = within(screen.getByRole('region', { name: 'Events by source' })).getAllByRole('link');
  // One of the first steps was from `ci`.
  expect(sources.map(({ textContent }) => textContent)).toEqual(['api3', 'ci1']);
  expect(sources[0]?.getAttribute('href')).toBe('/w/acme/events?source=api');
  expect(value('Retrying')).toBe('0');

  const chart = within(screen.getByRole('figure', { name: 'Attempts per minute' }));
  await user.click(chart.getByText('Show the numbers'));
  await waitFor(() => expect(chart.getAllByRole('row')).toHaveLength(61));

  await user.click(screen.getByLabelText('7 days'));
  await address('/w/acme/overview?window=7d');
  const hours = within(await screen.findByRole('figure', { name: 'Attempts per hour' }));
  await user.click(hours.getByText('Show the numbers'));
  await waitFor(() => expect(hours.getAllByRole('row').length).toBeGreaterThan(100));
  // Each time is told from the others: "2 days ago" stood in 24 rows.
  const times = hours.getAllByRole('row').map((row) => row.firstElementChild?.textContent);
  expect(new Set(times).size).toBe(times.length);
});

it('keeps a step done when its webhook was deleted after a delivery', async () => {
  for (const { id } of (await api.webhooks.list({ workspace_id: server.workspaceId })).data)
    await api.webhooks.delete(id);
  await openAs(server, '/w/acme/overview');
  await step(/^Create a webhook \(done\)/);
});
