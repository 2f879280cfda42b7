import { expect, it } from 'vitest';
import { useNotifications } from './use-notifications.ts';

const hub = useNotifications();
const { connectSlack, here } = hub;

it('a template can use the name of the workspace in an automation, too', async () => {
  const integration_id = await connectSlack({ channel: '#ops' });
  const { id: template_id } = await hub.workspace.api.call('notificationTemplates.create', {
    ...here(),
    body: { name: 'Where', body: { text: 'In {{ workspace.name }} by {{ automation.name }}' } },
  });
  const { id: automationId } = await hub.workspace.api.call('automations.create', {
    ...here(),
    body: {
      name: 'Tell',
      trigger: { event: 'manual' },
      actions: [{ type: 'send_notification', integration_id, template_id }],
    },
  });
  const params = { id: hub.workspace.workspaceId, automationId };
  const { steps } = await hub.workspace.api.call('automations.test', { params, body: {} });
  expect(steps).toMatchObject([{ request: { text: 'In Other by Tell' } }]);
});

it('a template with a mistake is refused with its path, line and column; one that renders too much is a problem of its format alone', async () => {
  const body = {
    text: 'ok',
    slack_blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'a\n{{ b | nope }}' } }],
  };
  const refused = await hub.workspace.api.send('notificationTemplates.create', {
    ...here(),
    body: { name: 'T', body },
  });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('body.slack_blocks[0].text.text');
  expect(refused.text).toContain('line 2, column 1');
  const bomb = { text: '{% for i in (1..99999999) %}{% endfor %}', markdown: '**{{ event.type }}**' };
  const { id } = await hub.workspace.api.call('notificationTemplates.create', {
    ...here(),
    body: { name: 'T', body: bomb },
  });
  const params = { id: hub.workspace.workspaceId, templateId: id };
  const preview = await hub.workspace.api.call('notificationTemplates.preview', {
    params,
    body: { event: { type: 'push', payload: {} } },
  });
  expect(preview).toMatchObject({ markdown: '**push**', problems: [{ field: 'body.text' }] });
  await hub.workspace.api.call('notificationTemplates.update', { params, body: { name: 'U' } });
  const first = await hub.workspace.api.call('notificationTemplates.get', {
    params,
    query: { version: '1' },
  });
  expect([first.name, first.version]).toEqual(['T', 1]);
  expect((await hub.workspace.api.call('notificationTemplates.get', { params })).version).toBe(2);
});

it('a template with an unknown name is refused, and one that renders to an empty text sends the default line', async () => {
  const create = (text: string) => ({ ...here(), body: { name: 'Values', body: { text } } });
  const { details } = await hub.workspace.api.refused(
    'notificationTemplates.create',
    400,
    create('{% assign own = event.id %}{{ own }}\n{% if rule.nam %}{{ workspace.name }}{% endif %}'),
  );
  expect(details).toEqual([
    {
      field: 'body.text',
      issue: 'has a mistake in line 2, column 7: rule.nam is not a known value; did you mean name?',
    },
  ]);
  const { id } = await hub.workspace.api.call(
    'notificationTemplates.create',
    create(' {{ event.payload.none }} '),
  );
  const params = { id: hub.workspace.workspaceId, templateId: id };
  const body = { event: { type: 'deploy', source: 'ci', payload: {} } };
  expect(await hub.workspace.api.call('notificationTemplates.preview', { params, body })).toMatchObject({
    text: 'deploy (ci)',
    problems: [{ field: 'body.text', issue: 'renders to an empty text' }],
  });
});

it('a link in an email leads only to the web and to mailboxes, and a template holds no script', async () => {
  const body = { text: 't', html: '<a href="{{ event.payload.u }}">{{ event.payload.u }}</a>' };
  const { id: templateId } = await hub.workspace.api.call('notificationTemplates.create', {
    ...here(),
    body: { name: 'Link', body },
  });
  const params = { id: hub.workspace.workspaceId, templateId };
  const html = async (u: string) => {
    const event = { type: 'x', payload: { u } };
    return (await hub.workspace.api.call('notificationTemplates.preview', { params, body: { event } })).html;
  };
  expect(await html('javascript:alert(1)')).toBe('<a href="#">javascript:alert(1)</a>');
  expect(await html('https://example.com/?a=1&b=2')).toContain('href="https://example.com/?a=1&amp;b=2"');
  const refusal = await hub.workspace.api.refused('notificationTemplates.update', 400, {
    params,
    body: { body: { text: 't', html: '<script>x</script>' } },
  });
  expect(refusal.details).toEqual([{ field: 'body.html', issue: expect.stringContaining('leave it out') }]);
});

it('everything that is wrong with a template is named in one response', async () => {
  const { details } = await hub.workspace.api.refused('notificationTemplates.create', 400, {
    ...here(),
    body: {
      name: '',
      subject: '{% if %}',
      body: { text: '{{ x', html: 5, markdown: '{{ evnt }} {{ rule.nam }}' },
    },
  });
  expect(details?.map(({ field }) => field).toSorted()).toEqual([
    'body.html',
    'body.markdown',
    'body.markdown',
    'body.text',
    'name',
    'subject',
  ]);
});
