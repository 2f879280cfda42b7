import { LIMITS } from '@hubline/contract/constants';
import type { NotificationTemplate, NotificationTemplateCreate } from '@hubline/contract/types';
import { APPLY_RULES, applyByName } from '../../client/apply-by-name.ts';
import { eachId, paged } from '../../client/lists.ts';
import type { Context } from '../../context.ts';
import { readDocument, readDocuments } from '../../input/read-document.ts';
import { define } from '../../spec/command.ts';
import { DOCUMENT_EXPORT_FLAGS, DOCUMENT_FILE, LIST_FLAGS } from '../../spec/global-flags.ts';
import { gone, goneView } from '../../views/gone.ts';
import { appliedView, exportedTemplateView, renderedView, templateView } from '../../views/notification.ts';
import { shellWord } from '../../terminal/shell-word.ts';

const ID = 'ntp_06f8xw2b3c4d5e6f7g8h9j0kmn';
const FILE = { ...DOCUMENT_FILE, required: true } as const;

async function allTemplates(ctx: Context): Promise<NotificationTemplate[]> {
  const client = await ctx.client();
  return client.notificationTemplates
    .list(await ctx.workspace(), { limit: LIMITS.pageMax }, { signal: ctx.signal })
    .toArray();
}

const list = define({
  path: 'template list',
  summary: 'List the notification templates of the workspace.',
  aliases: ['ls'],
  endpoints: ['notificationTemplates.list'],
  list: true,
  flags: LIST_FLAGS,
  examples: ['hubline template list'],
  view: templateView,
  async run(ctx, { flags }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return paged(ctx, flags, (query) => client.notificationTemplates.list(workspace, query, ctx.request));
  },
});

const get = define({
  path: 'template get',
  summary: 'Show a notification template, or an older version of it.',
  aliases: ['view', 'show'],
  endpoints: ['notificationTemplates.get'],
  args: { template: { summary: 'ID' } },
  flags: {
    'at-version': {
      type: 'integer',
      value: 'n',
      min: 1,
      summary: 'Number of the version (default: the current one)',
    },
  },
  examples: [`hubline template get ${ID}`, `hubline template get ${ID} --at-version 1`],
  typed: { version: '--at-version' },
  view: templateView,
  async run(ctx, { args, flags }) {
    const client = await ctx.client();
    const query = { version: flags.atVersion };
    return client.notificationTemplates.get(await ctx.workspace(), args.template, query, ctx.request);
  },
});

const create = define({
  path: 'template create',
  summary: 'Create a notification template from a file.',
  endpoints: ['notificationTemplates.create'],
  flags: { file: FILE },
  examples: ['hubline template create -f pull-requests.yaml'],
  view: templateView,
  say: ({ id, name }, style) => `${style.green('✓')} Created template ${name} (${id})`,
  next: ({ id }) => `See it with the newest event: hubline template preview ${shellWord(id)}`,
  async run(ctx, { flags }) {
    const body = (await readDocument(ctx, flags.file, '--file')) as unknown as NotificationTemplateCreate;
    const client = await ctx.client();
    return client.notificationTemplates.create(await ctx.workspace(), body, ctx.request);
  },
});

const update = define({
  path: 'template update',
  summary: 'Change a notification template. This makes a new version.',
  endpoints: ['notificationTemplates.update'],
  args: { template: { summary: 'ID' } },
  flags: { file: FILE },
  examples: [`hubline template update ${ID} -f pull-requests.yaml`],
  view: templateView,
  say: ({ name, version }, style) => `${style.green('✓')} ${name} is now at version ${version}`,
  async run(ctx, { args, flags }) {
    const body = await readDocument(ctx, flags.file, '--file');
    const client = await ctx.client();
    return client.notificationTemplates.update(await ctx.workspace(), args.template, body, ctx.request);
  },
});

const apply = define({
  path: 'template apply',
  summary: 'Create or change the notification templates in a file, matched by name.',
  description: `YAML or JSON: one template, a list, several YAML documents, or one JSON document per line. ${APPLY_RULES}`,
  endpoints: ['notificationTemplates.list', 'notificationTemplates.create', 'notificationTemplates.update'],
  flags: { file: FILE },
  examples: ['hubline template apply -f templates.yaml'],
  view: appliedView,
  say: ({ id, name, change }, style) => `${style.green('✓')} ${name} (${id}): ${change}`,
  async run(ctx, { flags }) {
    const documents = await readDocuments(ctx, flags.file, '--file');
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return applyByName(ctx, documents, {
      noun: 'template',
      defaults: { subject: null, sample_event_type: null },
      list: () => allTemplates(ctx),
      create: (body, options) =>
        client.notificationTemplates.create(
          workspace,
          body as unknown as NotificationTemplateCreate,
          options,
        ),
      update: (id, body) => client.notificationTemplates.update(workspace, id, body, ctx.request),
    });
  },
});

const exportTemplates = define({
  path: 'template export',
  summary: 'Export the notification templates, for template apply.',
  endpoints: ['notificationTemplates.list'],
  export: 'json',
  flags: DOCUMENT_EXPORT_FLAGS,
  examples: ['hubline template export --out templates.yaml'],
  view: exportedTemplateView,
  async run(ctx) {
    const templates = await allTemplates(ctx);
    return (async function* () {
      for (const { name, subject, body, sample_event_type } of templates)
        yield { name, subject, body, sample_event_type };
    })();
  },
});

const remove = define({
  path: 'template delete',
  summary: 'Delete notification templates with all their versions.',
  aliases: ['rm'],
  endpoints: ['notificationTemplates.delete'],
  danger: 'confirm',
  question: ({ args }) => `Delete ${args.template.join(', ')}?`,
  args: { template: { summary: 'IDs; - reads them from stdin', variadic: true, ids: true } },
  examples: [`hubline template delete ${ID} --yes`],
  view: goneView,
  say: ({ id }, style) => `${style.green('✓')} Deleted template ${id}`,
  async run(ctx, { args }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return eachId(ctx, args.template, async (id) => {
      await client.notificationTemplates.delete(workspace, id, ctx.request);
      return gone(id);
    });
  },
});

const preview = define({
  path: 'template preview',
  summary: 'Fill a template with the values of an event. Nothing is sent.',
  endpoints: ['notificationTemplates.preview'],
  args: { template: { summary: 'ID' } },
  flags: { event: { type: 'text', value: 'id', summary: 'Event to fill it with (default: the newest)' } },
  examples: [`hubline template preview ${ID}`, `hubline template preview ${ID} --json=text`],
  view: renderedView,
  async run(ctx, { args, flags }) {
    const client = await ctx.client();
    const body = { event_id: flags.event };
    return client.notificationTemplates.preview(await ctx.workspace(), args.template, body, ctx.request);
  },
});

export const commands = [list, create, get, update, apply, exportTemplates, remove, preview] as const;
