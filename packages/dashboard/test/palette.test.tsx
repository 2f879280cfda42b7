import { screen, waitFor, within } from '@testing-library/preact';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiOf } from './support/api-of.ts';
import { address, openAs, page } from './support/open-dashboard.tsx';
import { type Place, startServer } from './support/start-server.ts';

let place: Place;
beforeAll(async () => {
  place = await startServer();
});
afterAll(() => place.stop());

/** The palette, opened by its keys. */
async function openPalette() {
  const user = await openAs(place, '/w/acme/overview');
  await page('Overview');
  await user.keyboard('{Control>}k{/Control}');
  const palette = within(await screen.findByRole('dialog', { name: 'Search or jump to' }));
  return { user, palette, input: palette.getByRole('combobox') };
}

it('goes to a page by its name, with the keyboard alone', async () => {
  const { user, palette, input } = await openPalette();
  expect(document.activeElement === input).toBe(true);
  await user.type(input, 'deliv');
  expect(palette.getAllByRole('option')[0]?.textContent).toBe('DeliveriesPage');
  await user.keyboard('{ArrowDown}');
  expect(palette.getAllByRole('option')[1]?.getAttribute('aria-selected')).toBe('true');
  await user.keyboard('{ArrowUp}{Enter}');
  await page('Deliveries');
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('finds a webhook by its name, and a member', async () => {
  const api = apiOf(place);
  const { id } = await api.webhooks.create({
    workspace_id: place.workspaceId,
    url: 'https://billing.example.com/hooks',
    name: 'Billing service',
    events: ['event.created'],
    secret: 'a secret of sixteen',
  });
  const { user, palette, input } = await openPalette();
  await user.type(input, 'owner@');
  await palette.findByRole('option', { name: /owner@example\.com/ });
  await user.clear(input);
  await user.type(input, 'service');
  await user.click(await palette.findByRole('option', { name: /Billing service/ }));
  await address(`/w/acme/webhooks/${id}`);
});

it('leads to the API reference, which is outside of the workspace', async () => {
  const { user, input } = await openPalette();
  await user.type(input, 'openapi{Enter}');
  await address('/docs');
});

it('opens whatever an id names', async () => {
  const { event_id } = await apiOf(place).events.publish(place.workspaceId, { type: 'pasted', payload: {} });
  const { user, palette, input } = await openPalette();
  await user.click(input);
  await user.paste(event_id);
  expect(palette.getAllByRole('option').map((option) => option.textContent)).toEqual([`${event_id}Event`]);
  await user.keyboard('{Enter}');
  await page('pasted');
});

it('leads to the row of a key and of a member, whose ids have no page of their own', async () => {
  const { id } = await apiOf(place).apiKeys.create(place.workspaceId, { name: 'Nightly', scopes: ['*'] });
  const { user, palette, input } = await openPalette();
  await user.click(input);
  await user.paste(id);
  expect(palette.getAllByRole('option').map((option) => option.textContent)).toEqual([`${id}API key`]);
  await user.keyboard('{Enter}');
  await page('API keys');
  const marked = (name: RegExp) =>
    waitFor(async () =>
      expect((await screen.findByRole('row', { name })).hasAttribute('data-active')).toBe(true),
    );
  await marked(/Nightly/);
  const [member] = (await apiOf(place).members.list(place.workspaceId)).data;
  await user.keyboard('{Control>}k{/Control}');
  await user.paste(member?.user_id ?? '');
  await user.keyboard('{Enter}');
  await page('Members');
  await marked(/owner@example\.com/);
});

it('leads from the id of a run to its page, and says when there is no such run', async () => {
  const api = apiOf(place);
  const automation = await api.automations.create(place.workspaceId, {
    name: 'Tell the pager',
    trigger: { event: 'manual' },
    actions: [{ id: 'tell', type: 'create_event', event_type: 'paged', payload: {} }],
  });
  const run = await api.automations.run(place.workspaceId, automation.id);
  const { user, input } = await openPalette();
  await user.click(input);
  await user.paste(run.id);
  await user.keyboard('{Enter}');
  await page('Run of Tell the pager');
  await address(`/w/acme/automations/${automation.id}/runs/${run.id}`);
  await openAs(place, '/w/acme/runs/run_0000000000000000000000000a');
  expect((await screen.findByRole('alert')).textContent).toMatch(/No automation of this workspace/);
});

it('says when nothing is called that', async () => {
  const { user, palette, input } = await openPalette();
  await user.type(input, 'zzzz');
  expect(palette.getByRole('status').textContent).toContain('Nothing is called that');
});
