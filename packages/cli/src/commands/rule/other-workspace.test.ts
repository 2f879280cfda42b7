import { expect, it } from 'vitest';
import { realServer } from '../../test/real-server.ts';

const { cli, json } = await realServer();

it('apply in another workspace names the IDs that are not of it, and where to find its own', async () => {
  await cli(['template', 'apply', '-f', '-'], { stdin: 'name: Of Acme\nbody: { text: x }' });
  const [template] = await json<{ id: string }[]>('template', 'list');
  const webhook = await json(
    'webhook',
    'create',
    '--url=https://x.test',
    '--trigger=event.created',
    '--generate-secret',
  );
  const rule = `name: Of Acme\nnotify_on: [event.created]\ntemplate_id: ${template?.id}\ndestinations: [{ kind: webhook, webhook_id: ${webhook['id']} }]`;
  expect(await cli(['rule', 'apply', '-f', '-'], { stdin: rule })).toMatchObject({ code: 0 });
  const { out: exported } = await cli(['rule', 'export', '--jq=[.[] | select(.name == "Of Acme")]']);
  await json('workspace', 'create', '--name=Other', '--slug=other');
  const cure =
    'An ID belongs to one workspace. If the document comes from another, replace its IDs with those of this one: hubline --workspace other template list, hubline --workspace other webhook list';
  const applied = await cli(['rule', 'apply', '-f', '-', '-w', 'other'], { stdin: exported });
  expect(applied.code).toBe(10);
  expect(applied.err).toContain(`names no such webhook\n  ${cure}\n`);
  const { err } = await cli(['rule', 'create', '-f', '-', '-w', 'other'], { stdin: rule });
  expect(err).toContain(`\n${cure}\n`);

  const automation = `name: X\ntrigger: { event: manual, integration_ids: [int_06f8xw2b3c4d5e6f7g8h9j0kmn] }\nactions: [{ type: wait, seconds: 60 }]`;
  const trigger = automation.replace('manual', 'event.created');
  expect((await cli(['automation', 'apply', '-f', '-', '-w', 'other'], { stdin: trigger })).err).toContain(
    'replace its IDs with those of this one: hubline --workspace other integration list\n',
  );
});
