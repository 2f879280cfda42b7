import { screen, waitFor, within } from '@testing-library/preact';
import type { Hubline } from '@hubline/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openAs, page } from '../support/open-dashboard.tsx';
import type { Receiver } from '../support/receiver.ts';
import { skipPauses } from '../support/skip-pauses.ts';
import { startReceiving } from '../support/start-receiving.ts';
import type { TestServer } from '../support/start-server.ts';

let server: TestServer;
let api: Hubline;
let receiver: Receiver;
let webhookId: string;
let stop: () => Promise<unknown>;
beforeAll(async () => {
  ({ server, api, receiver, webhookId, stop } = await startReceiving());
});
afterAll(() => stop());

/** Makes `count` deliveries that have failed after all of their attempts. */
async function fail(count: number): Promise<void> {
  receiver.response = { status: 500, body: '' };
  const events = Array.from({ length: count }, (_, n) => ({ type: 'deploy', payload: { n } }));
  await api.events.publishBatch(server.workspaceId, { events });
  const attempts = async () => {
    const { data } = await api.deliveries.list(server.workspaceId);
    return data.slice(0, count).map((delivery) => delivery.attempt_count);
  };
  for (let attempt = 1; attempt <= 5; attempt++) {
    // On a busy machine, the next attempt may have been made by itself.
    await waitFor(async () => expect(Math.min(...(await attempts()))).toBeGreaterThanOrEqual(attempt));
    // Longer than any delay before the next attempt.
    await server.advance(15 * 60_000);
  }
}

it('counts the failed deliveries that match, asks, retries them all, and shows the progress to the end', async () => {
  await fail(3);
  // A test call is never part of a recovery.
  const { id: test } = await api.webhooks.test(webhookId);
  await waitFor(async () => expect((await api.deliveries.get(test)).status).toBe('failed'));
  await openAs(server, '/w/acme/deliveries?view=cause');
  await screen.findByRole('button', { name: 'Retry 3' });
  const user = await openAs(server, '/w/acme/deliveries');
  await page('Deliveries');
  await user.click(screen.getByRole('button', { name: 'Retry all failed' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Retry failed deliveries' }));
  await dialog.findByText('3 failed deliveries');
  dialog.getByText(/in this workspace, the oldest from/);
  receiver.response = { status: 200, body: '' };
  await user.click(dialog.getByRole('button', { name: 'Retry 3 failed deliveries' }));
  await screen.findByText(/^Done: 3 deliveries/);
  await user.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) ?? document.body);
  await waitFor(() => expect(screen.getAllByRole('row', { name: /Delivered/ })).toHaveLength(3));
  expect(screen.getAllByRole('row', { name: /Failed/ })).toHaveLength(1);
});

it('shows each of the five scheduled attempts, and the retry', async () => {
  const { data } = await api.deliveries.list(server.workspaceId, { status: 'delivered', limit: 1 });
  await openAs(server, `/w/acme/deliveries/${data[0]?.id}`);
  const attempts = within(await screen.findByRole('region', { name: 'Attempts' }));
  await waitFor(() => expect(attempts.getAllByRole('listitem')).toHaveLength(6));
  expect(attempts.getAllByText('500')).toHaveLength(5);
  expect(attempts.getByText(/, recovery$/)).toBeTruthy();
});

it('says that nothing is left to retry when other attempts have followed', async () => {
  await openAs(server, '/w/acme/deliveries?view=cause');
  await screen.findByText(/^Retry sends every failed or retrying delivery whose last attempt ended this way/);
  const row = within(await screen.findByRole('row', { name: /^500/ }));
  const note = await row.findByText('Nothing to retry');
  expect(note.title).toMatch(/attempted again since, or were test calls/);
  expect(row.queryByRole('button')).toBeNull();
});

it('shows in the list of events and in its panel that a retry from elsewhere has arrived', async () => {
  await fail(1);
  const [delivery] = (await api.deliveries.list(server.workspaceId, { limit: 1 })).data;
  // The pause between two reads of deliveries that have ended without arriving.
  skipPauses(8_000);
  await openAs(server, `/w/acme/events?event=${delivery?.event_id}`);
  const row = within(
    (await screen.findByText('1 failed', { selector: '.sr' })).closest('a') ?? document.body,
  );
  const panel = within(screen.getByRole('complementary', { name: 'Event' }));
  await panel.findByRole('link', { name: /^Failed/ });
  receiver.response = { status: 200, body: '' };
  await api.deliveries.retry(delivery?.id ?? '');
  await row.findByText('1 delivered');
  await panel.findByRole('link', { name: /^Delivered/ });
});

it('retries only deliveries of the event type that the list is filtered by', async () => {
  await fail(2);
  const user = await openAs(server, '/w/acme/deliveries?type=other');
  await page('Deliveries');
  await user.click(screen.getByRole('button', { name: 'Retry all failed' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Retry failed deliveries' }));
  await dialog.findByText('0 failed deliveries');
  dialog.getByRole('button', { name: 'Retry There are no failed deliveries.' });
});
