import { LIMITS } from '@hubline/contract/constants';
import type { Automation, AutomationCreate, AutomationUpdate } from '@hubline/contract/types';
import { APPLY_RULES, applyByName, foreignIds } from '../../client/apply-by-name.ts';
import { eachId, paged } from '../../client/lists.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors/errors.ts';
import { readDocument, readDocuments } from '../../input/read-document.ts';
import { readJsonObject } from '../../input/read-input.ts';
import { define } from '../../spec/command.ts';
import { DOCUMENT_EXPORT_FLAGS, DOCUMENT_FILE, LIST_FLAGS } from '../../spec/global-flags.ts';
import { automationFileView, automationTestView, automationView } from '../../views/automation.ts';
import { gone, goneView } from '../../views/gone.ts';
import { appliedView } from '../../views/notification.ts';
import { showTest } from './show-run.ts';
import { runCommands } from './runs.ts';
import { shellWord } from '../../terminal/shell-word.ts';

const ID = 'aut_06f8xw2b3c4d5e6f7g8h9j0kmn';
const FILE = { ...DOCUMENT_FILE, required: true, prompt: 'File' } as const;

async function allAutomations(ctx: Context): Promise<Automation[]> {
  const client = await ctx.client();
  return client.automations
    .list(await ctx.workspace(), { limit: LIMITS.pageMax }, { signal: ctx.signal })
    .toArray();
}

const list = define({
  path: 'automation list',
  summary: 'List the automations of the workspace.',
  aliases: ['ls'],
  endpoints: ['automations.list'],
  list: true,
  flags: LIST_FLAGS,
  examples: ['hubline automation list', 'hubline automation list --json=name,trigger,last_run_at'],
  view: automationView,
  async run(ctx, { flags }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return paged(ctx, flags, (query) => client.automations.list(workspace, query, ctx.request));
  },
});

const create = define({
  path: 'automation create',
  summary: 'Create an automation from a file.',
  description:
    'The file has the fields of the API: name, trigger, conditions, actions, throttle, concurrency_key. hubline automation export shows those that exist.',
  endpoints: ['automations.create'],
  flags: { file: FILE },
  examples: ['hubline automation create -f merged.yaml', 'hubline automation create -f - < merged.json'],
  view: automationView,
  cure: foreignIds,
  say: ({ id, name }, style) => `${style.green('✓')} Created automation ${name} (${id})`,
  next: ({ id }) => `Try it on the last event: hubline automation test ${shellWord(id)}`,
  async run(ctx, { flags }) {
    const body = (await readDocument(ctx, flags.file, '--file')) as unknown as AutomationCreate;
    const client = await ctx.client();
    return client.automations.create(await ctx.workspace(), body, ctx.request);
  },
});

/** The values of fields that a file leaves out: those of a new automation, except `enabled`. Somebody who disabled it had a reason. */
const DEFAULTS: AutomationUpdate = {
  description: null,
  conditions: null,
  throttle: null,
  concurrency_key: null,
};

const apply = define({
  path: 'automation apply',
  summary: 'Create or change the automations in a file, matched by name.',
  description: `YAML or JSON: one automation, a list, several YAML documents, or one JSON document per line. ${APPLY_RULES} A disabled automation stays disabled, unless its document says enabled: true. IDs of templates and integrations belong to one workspace: replace them with those of the workspace that gets the automations.`,
  endpoints: ['automations.list', 'automations.create', 'automations.update'],
  flags: { file: FILE },
  examples: [
    'hubline automation apply -f automations.yaml',
    'hubline automation export | hubline automation apply -f - -w other',
  ],
  view: appliedView,
  cure: foreignIds,
  say: ({ id, name, change }, style) => `${style.green('✓')} ${name} (${id}): ${change}`,
  async run(ctx, { flags }) {
    const documents = await readDocuments(ctx, flags.file, '--file');
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return applyByName(ctx, documents, {
      noun: 'automation',
      list: () => allAutomations(ctx),
      defaults: DEFAULTS,
      // The server validates the document, and names the path of a fault.
      create: (body, options) =>
        client.automations.create(workspace, body as unknown as AutomationCreate, options),
      update: (id, body) => client.automations.update(workspace, id, body, ctx.request),
    });
  },
});

const exportAll = define({
  path: 'automation export',
  summary: 'Export the automations, for automation apply. The export has no secrets.',
  endpoints: ['automations.list'],
  export: 'json',
  flags: DOCUMENT_EXPORT_FLAGS,
  examples: ['hubline automation export --out automations.yaml', 'hubline automation export -o yaml'],
  view: automationFileView,
  async run(ctx) {
    const automations = await allAutomations(ctx);
    return (async function* () {
      for (const automation of automations) {
        const { name, description, enabled, trigger, conditions, actions, throttle, concurrency_key } =
          automation;
        yield { name, description, enabled, trigger, conditions, actions, throttle, concurrency_key };
      }
    })();
  },
});

const get = define({
  path: 'automation get',
  summary: 'Show automations.',
  aliases: ['view', 'show'],
  endpoints: ['automations.get'],
  args: { automation: { summary: 'IDs; - reads them from stdin', variadic: true, ids: true } },
  examples: [`hubline automation get ${ID} -o yaml`],
  view: automationView,
  async run(ctx, { args }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return eachId(ctx, args.automation, (id) => client.automations.get(workspace, id, ctx.request));
  },
});

const update = define({
  path: 'automation update',
  summary: 'Change an automation: the fields of a file, or its name.',
  needsFlag: true,
  endpoints: ['automations.update'],
  args: { automation: { summary: 'ID' } },
  flags: {
    file: { ...DOCUMENT_FILE, summary: 'Fields to change, in YAML or JSON; - for stdin' },
    name: { type: 'text', value: 'text', summary: 'New name' },
    description: { type: 'text', value: 'text', summary: 'New description' },
  },
  examples: [`hubline automation update ${ID} --name 'Merged to main'`],
  view: automationView,
  cure: foreignIds,
  say: ({ id }, style) => `${style.green('✓')} Updated automation ${id}`,
  async run(ctx, { args, flags: { file, name, description } }) {
    const fields: AutomationUpdate = file === undefined ? {} : await readDocument(ctx, file, '--file');
    return change(ctx, args.automation, {
      ...fields,
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
    });
  },
});

async function change(ctx: Context, id: string, fields: AutomationUpdate): Promise<Automation> {
  const client = await ctx.client();
  return client.automations.update(await ctx.workspace(), id, fields, ctx.request);
}

const enable = define({
  path: 'automation enable',
  summary: 'Enable an automation.',
  endpoints: ['automations.update'],
  args: { automation: { summary: 'ID' } },
  examples: [`hubline automation enable ${ID}`],
  view: automationView,
  say: ({ name }, style) => `${style.green('✓')} Enabled automation ${name}`,
  run: (ctx, { args }) => change(ctx, args.automation, { enabled: true }),
});

const disable = define({
  path: 'automation disable',
  summary: 'Disable an automation; runs that have begun continue.',
  endpoints: ['automations.update'],
  args: { automation: { summary: 'ID' } },
  examples: [`hubline automation disable ${ID}`],
  view: automationView,
  say: ({ name }, style) => `${style.green('✓')} Disabled automation ${name}`,
  run: (ctx, { args }) => change(ctx, args.automation, { enabled: false }),
});

const remove = define({
  path: 'automation delete',
  summary: 'Delete automations with their runs.',
  aliases: ['rm'],
  endpoints: ['automations.delete'],
  danger: 'confirm',
  question: ({ args }) => `Delete ${args.automation.join(', ')} and all runs?`,
  args: { automation: { summary: 'IDs; - reads them from stdin', variadic: true, ids: true } },
  examples: [`hubline automation delete ${ID} --yes`],
  view: goneView,
  say: ({ id }, style) => `${style.green('✓')} Deleted automation ${id}`,
  async run(ctx, { args }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return eachId(ctx, args.automation, async (id) => {
      await client.automations.delete(workspace, id, ctx.request);
      return gone(id);
    });
  },
});

const test = define({
  path: 'automation test',
  summary: 'Try an automation on a past event: what every condition finds and every action would do.',
  endpoints: ['automations.test'],
  args: { automation: { summary: 'ID' } },
  flags: {
    event: { type: 'text', value: 'id', summary: 'Event to try (default: the newest)' },
    type: { type: 'text', value: 'type', summary: 'Try an event of this type that has not happened' },
    payload: { type: 'text', value: 'json|@file|-', summary: 'Payload of the event of --type (default: {})' },
  },
  document: true,
  show: showTest,
  examples: [
    `hubline automation test ${ID} --event evt_06f8xw2b3c4d5e6f7g8h9j0kmn`,
    `hubline automation test ${ID} --type deploy --payload '{"environment":"production"}'`,
  ],
  typed: { 'event.type': '--type', 'event.payload': '--payload' },
  view: automationTestView,
  async run(ctx, { args, flags: { event: event_id, type, payload } }) {
    if (event_id !== undefined && type !== undefined)
      throw usageError('--event and --type cannot be combined.', 'Leave out one of them.');
    if (payload !== undefined && type === undefined)
      throw usageError('--payload needs the type of its event.', 'Add --type.');
    const event =
      type === undefined
        ? undefined
        : { type, payload: await readJsonObject(ctx, payload ?? '{}', '--payload') };
    const client = await ctx.client();
    return client.automations.test(await ctx.workspace(), args.automation, { event_id, event }, ctx.request);
  },
});

export const commands = [
  list,
  create,
  apply,
  exportAll,
  get,
  update,
  remove,
  enable,
  disable,
  test,
  ...runCommands,
] as const;
