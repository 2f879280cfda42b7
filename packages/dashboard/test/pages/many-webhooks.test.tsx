import { screen, waitFor, within } from '@testing-library/preact';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiOf } from '../support/api-of.ts';
import { address, openAs, page } from '../support/open-dashboard.tsx';
import { startServer, type TestServer } from '../support/start-server.ts';

/** One more than the dashboard once read. */
const MANY = 501;

let server: TestServer;
/** The IDs of the last two webhooks, which have one name. */
let last: readonly string[];

beforeAll(async () => {
  server = await startServer();
  const create = (at: number) =>
    apiOf(server).webhooks.create({
      workspace_id: server.workspaceId,
      url: `https://receiver${at}.invalid/hook`,
      name: at < MANY ? `Receiver ${at}` : 'Staging',
      events: ['webhook.failing'],
      secret: 'a secret of sixteen',
    });
  for (let at = 0; at < MANY; at += 10)
    await Promise.all(Array.from({ length: Math.min(10, MANY - at) }, (_, next) => create(at + next)));
  last = [(await create(MANY)).id, (await create(MANY)).id];
}, 60_000);
afterAll(() => server.stop());

it('names a webhook beyond the first 500, instead of calling it deleted', async () => {
  const [id = ''] = last;
  await apiOf(server).webhooks.test(id);
  await openAs(server, '/w/acme/deliveries');
  expect((await screen.findByRole('link', { name: 'Staging' })).getAttribute('href')).toBe(
    `/w/acme/webhooks/${id}`,
  );
  expect(screen.queryByText(/deleted webhook/)).toBeNull();
});

it('finds each of two webhooks of one name in the palette', async () => {
  const user = await openAs(server, '/w/acme/overview');
  await page('Overview');
  await screen.findByText(`8 of ${MANY + 2}, problems first`);
  await user.keyboard('{Control>}k{/Control}');
  const palette = within(await screen.findByRole('dialog', { name: 'Search or jump to' }));
  await user.type(palette.getByRole('combobox'), 'staging');
  await waitFor(() => expect(palette.getAllByRole('option', { name: /^Staging/ })).toHaveLength(2));
  await user.click(palette.getByRole('option', { name: `Staging …${last[1]?.slice(-6)} Webhook` }));
  await address(`/w/acme/webhooks/${last[1]}`);
});

it('tells two webhooks of one name apart in a filter', async () => {
  const user = await openAs(server, '/w/acme/deliveries');
  await user.click(await screen.findByRole('button', { name: 'Filter' }));
  await user.click(await screen.findByRole('button', { name: 'Webhook' }));
  for (const id of last) await screen.findByRole('button', { name: `Staging …${id.slice(-6)}` });
});
