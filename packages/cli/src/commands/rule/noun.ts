import type {
  NotificationRule,
  NotificationRuleCreate,
  NotificationRuleUpdate,
} from '@hubline/contract/types';
import { LIMITS, MESSAGE_STATUSES } from '@hubline/contract/constants';
import { APPLY_RULES, applyByName, foreignIds } from '../../client/apply-by-name.ts';
import { eachId, paged } from '../../client/lists.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors/errors.ts';
import { readDocument, readDocuments } from '../../input/read-document.ts';
import { define } from '../../spec/command.ts';
import { DOCUMENT_EXPORT_FLAGS, DOCUMENT_FILE, LIST_FLAGS } from '../../spec/global-flags.ts';
import { gone, goneView } from '../../views/gone.ts';
import {
  appliedView,
  exportedRuleView,
  messageView,
  ruleTestView,
  ruleView,
} from '../../views/notification.ts';
import { showTest } from './show-test.ts';
import { shellWord } from '../../terminal/shell-word.ts';

const ID = 'nrl_06f8xw2b3c4d5e6f7g8h9j0kmn';
const FILE = { ...DOCUMENT_FILE, required: true } as const;

async function allRules(ctx: Context): Promise<NotificationRule[]> {
  const client = await ctx.client();
  return client.notificationRules
    .list(await ctx.workspace(), { limit: LIMITS.pageMax }, { signal: ctx.signal })
    .toArray();
}

const list = define({
  path: 'rule list',
  summary: 'List the notification rules of the workspace.',
  aliases: ['ls'],
  endpoints: ['notificationRules.list'],
  list: true,
  flags: LIST_FLAGS,
  examples: ['hubline rule list', 'hubline rule list --json=name,enabled'],
  view: ruleView,
  async run(ctx, { flags }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return paged(ctx, flags, (query) => client.notificationRules.list(workspace, query, ctx.request));
  },
});

const get = define({
  path: 'rule get',
  summary: 'Show notification rules.',
  aliases: ['view', 'show'],
  endpoints: ['notificationRules.get'],
  args: { rule: { summary: 'IDs; - reads them from stdin', variadic: true, ids: true } },
  examples: [`hubline rule get ${ID}`, `hubline rule get ${ID} -o yaml`],
  view: ruleView,
  async run(ctx, { args }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return eachId(ctx, args.rule, (id) => client.notificationRules.get(workspace, id, ctx.request));
  },
});

const create = define({
  path: 'rule create',
  summary: 'Create a notification rule from a file.',
  endpoints: ['notificationRules.create'],
  flags: { file: FILE },
  examples: ['hubline rule create -f critical-alerts.yaml', 'hubline rule create -f - < rule.json'],
  view: ruleView,
  cure: foreignIds,
  say: ({ id, name }, style) => `${style.green('✓')} Created rule ${name} (${id})`,
  next: ({ id }) => `Try it on the newest event: hubline rule test ${shellWord(id)}`,
  async run(ctx, { flags }) {
    // The server validates the document, and names the path of a fault.
    const body = (await readDocument(ctx, flags.file, '--file')) as unknown as NotificationRuleCreate;
    const client = await ctx.client();
    return client.notificationRules.create(await ctx.workspace(), body, ctx.request);
  },
});

const update = define({
  path: 'rule update',
  summary: 'Change a notification rule: switch it on or off, or set what a file says.',
  endpoints: ['notificationRules.update'],
  args: { rule: { summary: 'ID' } },
  flags: {
    file: { ...DOCUMENT_FILE, summary: 'Settings to change, in YAML or JSON; - for stdin' },
    enable: { type: 'boolean', summary: 'Switch the rule on' },
    disable: { type: 'boolean', summary: 'Switch the rule off: it sends nothing' },
  },
  examples: [`hubline rule update ${ID} --disable`, `hubline rule update ${ID} -f quiet-hours.yaml`],
  view: ruleView,
  cure: foreignIds,
  say: ({ id, name }, style) => `${style.green('✓')} Updated rule ${name} (${id})`,
  async run(ctx, { args, flags: { file, enable, disable } }) {
    if (Number(file !== undefined) + Number(enable) + Number(disable) !== 1)
      throw usageError('Give exactly one change.', 'Give either --file, --enable or --disable.');
    const body = file === undefined ? { enabled: enable } : await readDocument(ctx, file, '--file');
    const client = await ctx.client();
    return client.notificationRules.update(await ctx.workspace(), args.rule, body, ctx.request);
  },
});

/** The values of settings that a file leaves out: those of a new rule. */
const DEFAULTS: NotificationRuleUpdate = {
  types: null,
  sources: null,
  integration_ids: null,
  filters: null,
  conditions: null,
  template_id: null,
  critical: false,
  digest: null,
  quiet_hours: null,
  dedupe: null,
};

const apply = define({
  path: 'rule apply',
  summary: 'Create or change the notification rules in a file, matched by name.',
  description: `YAML or JSON: one rule, a list, several YAML documents, or one JSON document per line. ${APPLY_RULES} A rule that is switched off stays off, unless its document says enabled: true. IDs of templates, integrations, webhooks and users belong to one workspace: replace them with those of the workspace that gets the rules.`,
  endpoints: ['notificationRules.list', 'notificationRules.create', 'notificationRules.update'],
  flags: { file: FILE },
  examples: ['hubline rule apply -f rules.yaml', 'hubline rule export | hubline rule apply -f - -w other'],
  view: appliedView,
  cure: foreignIds,
  say: ({ id, name, change }, style) => `${style.green('✓')} ${name} (${id}): ${change}`,
  async run(ctx, { flags }) {
    const documents = await readDocuments(ctx, flags.file, '--file');
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return applyByName(ctx, documents, {
      noun: 'rule',
      list: () => allRules(ctx),
      defaults: DEFAULTS,
      create: (body, options) =>
        client.notificationRules.create(workspace, body as unknown as NotificationRuleCreate, options),
      update: (id, body) => client.notificationRules.update(workspace, id, body, ctx.request),
    });
  },
});

const exportRules = define({
  path: 'rule export',
  summary: 'Export the notification rules, for rule apply.',
  endpoints: ['notificationRules.list'],
  export: 'json',
  flags: DOCUMENT_EXPORT_FLAGS,
  examples: ['hubline rule export --out rules.yaml'],
  view: exportedRuleView,
  async run(ctx) {
    const rules = await allRules(ctx);
    return (async function* () {
      for (const {
        id: _,
        workspace_id: __,
        created_by: ___,
        created_at: ____,
        updated_at: _____,
        ...rule
      } of rules)
        yield rule;
    })();
  },
});

const remove = define({
  path: 'rule delete',
  summary: 'Delete notification rules; waiting messages are not sent.',
  aliases: ['rm'],
  endpoints: ['notificationRules.delete'],
  danger: 'confirm',
  question: ({ args }) => `Delete ${args.rule.join(', ')}?`,
  args: { rule: { summary: 'IDs; - reads them from stdin', variadic: true, ids: true } },
  examples: [`hubline rule delete ${ID} --yes`],
  view: goneView,
  say: ({ id }, style) => `${style.green('✓')} Deleted rule ${id}`,
  async run(ctx, { args }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return eachId(ctx, args.rule, async (id) => {
      await client.notificationRules.delete(workspace, id, ctx.request);
      return gone(id);
    });
  },
});

const test = define({
  path: 'rule test',
  summary: 'Try a rule on an event: whether it matches, the text, and where it would go. Nothing is sent.',
  endpoints: ['notificationRules.test'],
  args: { rule: { summary: 'ID' } },
  flags: { event: { type: 'text', value: 'id', summary: 'Event to try it on (default: the newest)' } },
  examples: [`hubline rule test ${ID}`, `hubline rule test ${ID} --event evt_06f8xw2b3c4d5e6f7g8h9j0kmn`],
  view: ruleTestView,
  show: showTest,
  async run(ctx, { args, flags }) {
    const client = await ctx.client();
    return client.notificationRules.test(
      await ctx.workspace(),
      args.rule,
      { event_id: flags.event },
      ctx.request,
    );
  },
});

const log = define({
  path: 'rule log',
  summary: 'List messages of rules and integrations, newest first, and why any were not sent.',
  endpoints: ['notificationRules.log'],
  list: true,
  flags: {
    rule: { type: 'text', value: 'id', summary: 'Only messages of this rule' },
    status: {
      type: 'text',
      value: 'status',
      choices: MESSAGE_STATUSES,
      summary: 'Only messages with this status',
    },
    ...LIST_FLAGS,
  },
  examples: ['hubline rule log', `hubline rule log --rule ${ID} --status failed`],
  view: messageView,
  async run(ctx, { flags }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    const filter = { rule_id: flags.rule, status: flags.status };
    return paged(ctx, flags, (query) =>
      client.notificationRules.log(workspace, { ...filter, ...query }, ctx.request),
    );
  },
});

export const commands = [list, create, get, update, apply, exportRules, remove, test, log] as const;
