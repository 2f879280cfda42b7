import { fireEvent, screen, waitFor, within } from '@testing-library/preact';
import type { Hubline } from '@hubline/sdk';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { apiOf } from '../support/api-of.ts';
import { hideWindow } from '../support/hide-window.ts';
import { address, dialog, openAs, page } from '../support/open-dashboard.tsx';
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

const PUBLISH = { type: 'create_event', event_type: 'seen', payload: { text: '{{ event.type }}' } } as const;

/** The server refuses requests to paths that end like this, until the test ends. Returns a count of them. */
function refuseRequests(end: string): () => number {
  const { fetch } = globalThis;
  onTestFinished(() => void (globalThis.fetch = fetch));
  let count = 0;
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (!url.pathname.endsWith(end)) return fetch(input, init);
    count += 1;
    return new Response('{}', { status: 503, headers: { 'retry-after': '0' } });
  };
  return () => count;
}

const create = (body: object = {}) =>
  api.automations.create(server.workspaceId, {
    name: 'Builds',
    trigger: { event: 'event.created', types: ['build'] },
    actions: [PUBLISH],
    ...body,
  });

it('an automation is disabled at first, shows errors while a person types, and has a dry run before it runs', async () => {
  // The pause while somebody types.
  skipPauses(300);
  await api.events.publish(server.workspaceId, {
    type: 'deploy',
    payload: { environment: 'production', status: 'red' },
  });
  const user = await openAs(server, '/w/acme/automations');
  await screen.findByText('No automations yet');
  const [begin] = screen.getAllByRole('button', { name: 'New automation' });
  if (begin) await user.click(begin);
  const form = await dialog('New automation');
  await user.type(form.getByLabelText('Name'), 'Red deploys');
  await user.click(form.getByRole('button', { name: 'Create' }));
  await page('Red deploys');
  expect(screen.getByRole('switch', { name: 'Automation on' }).getAttribute('aria-checked')).toBe('false');
  await screen.findByText('This event starts a run');

  await user.click(screen.getByRole('button', { name: /^Always/ }));
  await user.click(screen.getByRole('button', { name: 'Add condition' }));
  const field = screen.getByLabelText('Field');
  field.focus();
  await user.click(screen.getByRole('tab', { name: 'Event' }));
  const [, value] = await screen.findAllByTitle('Use event.payload.status');
  if (value) await user.click(value);
  expect(screen.getByLabelText<HTMLInputElement>('Field').value).toBe('event.payload.status');
  write(screen.getByLabelText('Value'), 'green');
  await user.click(screen.getByRole('tab', { name: 'Dry run' }));
  await screen.findByText('This event does not start a run');
  await screen.findByText('The conditions are not met.');
  expect(screen.getAllByRole('img', { name: 'Not met' })).toHaveLength(2);
  screen.getByRole('textbox', { name: 'Value', description: /found "red"/ });
  write(screen.getByLabelText('Field'), 'event.nothing');
  await waitFor(() => screen.getByRole('combobox', { name: 'Field', description: /event\.nothing/ }));
  write(screen.getByLabelText('Field'), 'event.payload.status');
  write(screen.getByLabelText('Value'), 'red');
  await screen.findByText('This event starts a run');

  await user.click(screen.getByRole('button', { name: 'Add a step at the end' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Publish an event' }));
  write(screen.getByLabelText('Payload'), '{"a": "{{ event.type"}');
  await screen.findByText(/^Payload has a mistake in line 1, column 1: {{ is never closed; end it with }}/, {
    selector: '.wrong *',
  });
  write(screen.getByLabelText('Payload'), '{"a": ');
  await screen.findByText('Payload is not JSON yet');
  write(screen.getByLabelText('Payload'), '{"a": "{{ event.payload.environment }}"}');
  const step = within(await screen.findByRole('region', { name: 'Step a2' }));
  await step.findByText('"production"');

  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved.');
  const { data } = await api.automations.list(server.workspaceId);
  expect(data[0]).toMatchObject({
    enabled: false,
    conditions: { all: [{ field: 'event.payload.status', op: 'eq', value: 'red' }] },
    actions: [{ type: 'wait' }, { id: 'a2', payload: { a: '{{ event.payload.environment }}' } }],
  });
  await user.click(screen.getByRole('switch', { name: 'Automation on' }));
  await waitFor(() =>
    expect(screen.getByRole('switch', { name: 'Automation on' }).getAttribute('aria-checked')).toBe('true'),
  );

  await user.dblClick(screen.getByRole('button', { name: 'Run on this event' }));
  await page('Run of Red deploys');
  // The second click of a double click starts no second run.
  expect((await api.automations.listRuns(server.workspaceId, data[0]?.id ?? '')).data).toHaveLength(1);
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  await user.click(await screen.findByRole('button', { name: 'Run again from a1' }));
  await screen.findByRole('button', { name: 'Cancel' });
});

it('reports required fields only after a try to save, and moves the focus there', async () => {
  const { id } = await create({ name: 'Required' });
  const user = await openAs(server, `/w/acme/automations/${id}`);
  await user.click(await screen.findByRole('button', { name: /^Publish an event: seen/ }));
  write(screen.getByLabelText('Event type'), '');
  expect(screen.queryByText('Event type is required')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Event type is required');
  write(screen.getByLabelText('Event type'), 'two words');
  await screen.findByText(
    'Event type must begin with a letter or digit and contain only letters, digits and _ . : -',
  );
  write(screen.getByLabelText('Event type'), '');
  await user.click(screen.getByRole('button', { name: /^Publish an event/ }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('actions[0].event_type is required.');
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  await user.click(screen.getByRole('button', { name: /^Publish an event/ }));
  expect(screen.getByLabelText<HTMLInputElement>('Event type').value).toBe('seen');
});

it('asks before unsaved changes are lost: by a shortcut, the palette, or Back', async () => {
  const { id } = await create({ name: 'Draft' });
  const user = await openAs(server, '/w/acme/automations');
  await user.click(await screen.findByRole('link', { name: 'Draft' }));
  await page('Draft');
  write(screen.getByLabelText('Event types'), 'release');
  const stays = async () => {
    const question = await dialog('Leave without saving?');
    await user.click(question.getByRole('button', { name: 'Keep editing' }));
    await address(`/w/acme/automations/${id}`);
    expect(screen.getByLabelText<HTMLInputElement>('Event types').value).toBe('release');
  };
  await user.click(screen.getByRole('heading', { level: 1 }));
  await user.keyboard('ge');
  await stays();
  await user.keyboard('{Control>}k{/Control}webhooks{Enter}');
  await stays();
  // Back, as the browser reports it: the address has changed already.
  history.replaceState(null, '', '/w/acme/automations');
  fireEvent.popState(window);
  await stays();
  await user.keyboard('ge');
  await user.click((await dialog('Leave without saving?')).getByRole('button', { name: 'Leave' }));
  await page('Events');
});

it('a URL that the server accepts is saved, whatever its scheme', async () => {
  const call = { type: 'call_webhook', url: 'http://localhost:3999/hook' } as const;
  const { id } = await create({ name: 'Local', actions: [call] });
  const user = await openAs(server, `/w/acme/automations/${id}`);
  await user.click(await screen.findByRole('button', { name: /^Call a webhook/ }));
  write(screen.getByLabelText('URL'), 'http://localhost:3999/other');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved.');
  expect((await api.automations.get(server.workspaceId, id)).actions).toMatchObject([
    { url: 'http://localhost:3999/other' },
  ]);
});

it('groups of conditions, lists and negations are edited as the API has them', async () => {
  const conditions = {
    all: [
      { field: 'event.payload.count', op: 'gt', value: 3 },
      { not: { any: [{ field: 'event.payload.branch', op: 'in', value: ['main', 'dev'] }] } },
    ],
  };
  const { id } = await create({ name: 'Grouped', conditions });
  const user = await openAs(server, `/w/acme/automations/${id}`);
  const inner = within(await screen.findByRole('group', { name: 'Conditions: none of these is true' }));
  write(inner.getByLabelText('Value'), 'main, 7, true, "8"');
  await user.selectOptions(
    inner.getByLabelText('How to combine these conditions'),
    'If one of these is true',
  );
  const [first] = screen.getAllByLabelText('Comparison');
  if (first) await user.selectOptions(first, 'exists');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved.');
  expect((await api.automations.get(server.workspaceId, id)).conditions).toEqual({
    all: [
      { field: 'event.payload.count', op: 'exists' },
      { any: [{ field: 'event.payload.branch', op: 'in', value: ['main', 7, true, '8'] }] },
    ],
  });
});

it('a value of a list keeps its commas when another is added', async () => {
  const list = ['Bug, critical', ' "quoted", too', '', 'plain', '7', 7];
  const { id } = await create({
    name: 'Commas',
    conditions: { field: 'event.payload.title', op: 'in', value: list },
  });
  const user = await openAs(server, `/w/acme/automations/${id}`);
  await page('Commas');
  const values = screen.getByLabelText<HTMLInputElement>('Value');
  expect(values.value).toMatch(/^"Bug, critical", .+, plain, "7", 7$/);
  write(values, `${values.value}, new`);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved.');
  expect((await api.automations.get(server.workspaceId, id)).conditions).toMatchObject({
    all: [{ value: [...list, 'new'] }],
  });
});

it('a failed run shows the request of each step and the reason of the failure, and runs again from there', async () => {
  const { id } = await create({
    name: 'Failing',
    trigger: { event: 'manual' },
    actions: [PUBLISH, { id: 'call', type: 'call_webhook', url: 'https://nowhere.invalid/', retries: 0 }],
  });
  const { id: run } = await api.automations.run(server.workspaceId, id);
  const user = await openAs(server, `/w/acme/automations/${id}/runs/${run}`);
  await screen.findByRole('heading', { name: 'call' });
  const again = await screen.findByRole('button', { name: 'Run again from call' });
  expect(screen.getAllByRole('region', { name: /^Request of / })).toHaveLength(2);
  const startedAt = async () =>
    (await api.automations.getRun(server.workspaceId, id, run)).steps[1]?.started_at;
  const before = await startedAt();
  await user.click(again);
  await waitFor(async () => expect(await startedAt()).not.toBe(before));
  await user.click(screen.getByRole('link', { name: 'Failing' }));
  await user.click(await screen.findByRole('tab', { name: 'Runs' }));
  expect(await screen.findAllByRole('link', { name: /^(Succeeded|Failed|Running)/ })).toHaveLength(1);
});

it('a short outage of the server is not shown as an error in the list of runs', async () => {
  const { id } = await create({ name: 'Steady', trigger: { event: 'manual' } });
  await api.automations.run(server.workspaceId, id);
  const user = await openAs(server, `/w/acme/automations/${id}`);
  await user.click(await screen.findByRole('tab', { name: 'Runs' }));
  await screen.findByRole('link', { name: /^(Succeeded|Running)/ });
  const refused = refuseRequests('/runs');
  // The client makes three attempts for each read.
  await waitFor(() => expect(refused()).toBeGreaterThan(3));
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

it('a step of a tool is not said to lack its integration while the tools load', async () => {
  const { integration_id } = await api.integrations.connect({
    provider: 'custom',
    workspace_id: server.workspaceId,
    credentials: { preset: 'none' },
  });
  await create({ name: 'Slow', actions: [{ type: 'send_notification', integration_id, text: 'Hello' }] });
  const user = await openAs(server, '/w/acme/automations');
  await screen.findByRole('link', { name: 'Slow' });
  const refused = refuseRequests('/integrations');
  await user.click(screen.getByRole('link', { name: 'Slow' }));
  await user.click(await screen.findByRole('button', { name: /Step 1/ }));
  await waitFor(() => expect(refused()).toBeGreaterThan(0));
  await screen.findByText('Loading…');
});

it('a viewer sees an automation and its runs, and is offered nothing else', async () => {
  const email = 'viewer@example.com';
  const { invite_url: link } = await api.members.invite(server.workspaceId, { email, role: 'viewer' });
  const password = 'the password of a viewer';
  await api.invitations.accept({ token: new URL(link).searchParams.get('token') ?? '', password });
  const { id } = await create({
    name: 'Seen',
    conditions: { field: 'event.type', op: 'eq', value: 'build' },
  });
  const user = await openAs(server, '/w/acme/automations', [email, password]);
  expect((await screen.findByRole('switch', { name: 'Seen on' })).getAttribute('aria-disabled')).toBe('true');
  await user.click(screen.getByRole('link', { name: 'Seen' }));
  await page('Seen');
  await screen.findByText('No runs yet. The trigger starts the first one.');
  await user.click(screen.getByRole('button', { name: 'Filter' }));
  await user.click(screen.getByRole('button', { name: 'Status' }));
  await user.click(screen.getByRole('button', { name: 'Failed' }));
  await screen.findByText('No runs with this status.');
  screen.getByText('View only: owners, admins and members can change this.');
  for (const name of ['Save', 'Delete Seen', 'Run on this event'])
    expect(screen.queryByRole('button', { name })).toBeNull();
  expect(screen.getByLabelText('Value').closest('fieldset')?.hasAttribute('disabled')).toBe(true);
  expect((await api.automations.get(server.workspaceId, id)).enabled).toBe(true);
});

it('an automation is deleted after a question', async () => {
  const { id } = await create({ name: 'Old' });
  const user = await openAs(server, `/w/acme/automations/${id}`);
  await user.click(await screen.findByRole('button', { name: 'Delete Old' }));
  await user.click((await dialog('Delete Old?')).getByRole('button', { name: 'Delete' }));
  await address('/w/acme/automations');
  await waitFor(() => expect(screen.queryByText('Old')).toBeNull());
});

it('is tried on an event of any of its types, and says when there is none', async () => {
  await api.events.publish(server.workspaceId, { type: 'released', payload: { version: '1.4' } });
  const { id } = await create({ trigger: { event: 'event.created', types: ['yanked', 'released'] } });
  await openAs(server, `/w/acme/automations/${id}`);
  await screen.findByText('This event starts a run');
  expect(screen.getByLabelText('Event to try').textContent).toContain('released');
  screen.getByRole('button', { name: 'Run on this event' });
  await api.automations.update(server.workspaceId, id, {
    trigger: { event: 'event.created', types: ['yanked'] },
  });
  await openAs(server, `/w/acme/automations/${id}`);
  await screen.findByRole('option', { name: 'No event yet' });
  screen.getByRole('button', { name: 'Run without an event' });
});

it('shows the numbers of an event with every digit, in a dry run and in a run', async () => {
  skipPauses(300);
  const response = await fetch(`${server.baseUrl}/workspaces/${server.workspaceId}/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${server.apiKey}` },
    body: '{"type":"exact","payload":{"id":12345678901234567890,"price":1.10}}',
  });
  const { event_id } = (await response.json()) as { event_id: string };
  const payload = { id: '{{ event.payload.id }}', price: '{{ event.payload.price }}' };
  const { id } = await create({
    trigger: { event: 'event.created', types: ['exact'] },
    actions: [{ ...PUBLISH, payload }],
  });
  const exact = /"id": 12345678901234567890,"price": 1\.10/;
  await openAs(server, `/w/acme/automations/${id}`);
  const step = await screen.findByRole('region', { name: 'Step a1' });
  expect(step.textContent).toMatch(exact);
  const { id: run } = await api.automations.run(server.workspaceId, id, { event_id });
  await openAs(server, `/w/acme/automations/${id}/runs/${run}`);
  const request = await screen.findByRole('region', { name: 'Request of a1' });
  expect(request.textContent).toMatch(exact);
});

it('keeps what is being edited apart from what has changed on the server: the switch, and somebody else', async () => {
  const { id } = await create({ name: 'Shared', enabled: false });
  const user = await openAs(server, `/w/acme/automations/${id}`);
  await page('Shared');
  write(screen.getByLabelText('Event types'), 'release');
  await api.automations.update(server.workspaceId, id, { description: 'by a colleague' });
  await user.click(screen.getByRole('switch', { name: 'Automation on' }));
  await waitFor(() =>
    expect(screen.getByRole('switch', { name: 'Automation on' }).getAttribute('aria-checked')).toBe('true'),
  );
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved.');
  expect(await api.automations.get(server.workspaceId, id)).toMatchObject({
    description: 'by a colleague',
    enabled: true,
    trigger: { types: ['release'] },
  });
});

it('asks once before it replaces what a colleague has changed in the same field', async () => {
  const { id } = await create({ name: 'Shared', enabled: false });
  const user = await openAs(server, `/w/acme/automations/${id}`);
  await page('Shared');
  const types = async () => (await api.automations.get(server.workspaceId, id)).trigger.types;
  await api.automations.update(server.workspaceId, id, {
    trigger: { event: 'event.created', types: ['theirs'] },
  });
  write(screen.getByLabelText('Event types'), 'mine');
  // The response to the switch has what the colleague has changed.
  await user.click(screen.getByRole('switch', { name: 'Automation on' }));
  await waitFor(() =>
    expect(screen.getByRole('switch', { name: 'Automation on' }).getAttribute('aria-checked')).toBe('true'),
  );
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Somebody else has changed trigger meanwhile. Save again to replace it.');
  expect(await types()).toEqual(['theirs']);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved.');
  expect(await types()).toEqual(['mine']);
});

it('says once that a colleague has deleted what is shown, and keeps what is unsaved', async () => {
  skipPauses(300);
  const rule = await api.notificationRules.create(server.workspaceId, {
    name: 'Short-lived',
    notify_on: ['event.created'],
    destinations: [{ kind: 'in_app', roles: ['owner'] }],
  });
  const { id } = await create({ name: 'Short-lived' });
  await openAs(server, `/w/acme/notification-rules/${rule.id}`);
  await page('Short-lived');
  await api.notificationRules.delete(server.workspaceId, rule.id);
  hideWindow(true);
  hideWindow(false);
  await page('Notification rule');
  expect(screen.getAllByText(/No such notification rule/)).toHaveLength(1);

  await openAs(server, `/w/acme/automations/${id}`);
  await page('Short-lived');
  write(screen.getByLabelText('Event types'), 'typed');
  await api.automations.delete(server.workspaceId, id);
  hideWindow(true);
  hideWindow(false);
  expect((await screen.findByRole('alert')).textContent).toContain('No such automation');
  expect(screen.getByLabelText<HTMLInputElement>('Event types').value).toBe('typed');
});

it('keeps what is typed while an earlier edit is being saved', async () => {
  const { id } = await create({ name: 'Slow', description: 'before' });
  const user = await openAs(server, `/w/acme/automations/${id}`);
  await page('Slow');
  const { fetch } = globalThis;
  onTestFinished(() => void (globalThis.fetch = fetch));
  const { promise, resolve } = Promise.withResolvers<void>();
  globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (init?.method === 'PATCH') await promise;
    return response;
  };
  write(screen.getByLabelText('Event types'), 'first');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  write(screen.getByLabelText('Event types'), 'first, second');
  resolve();
  await screen.findByText('Saved.');
  expect(screen.getByLabelText<HTMLInputElement>('Event types').value).toBe('first, second');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(async () =>
    expect(await api.automations.get(server.workspaceId, id)).toMatchObject({
      trigger: { types: ['first', 'second'] },
    }),
  );
});
