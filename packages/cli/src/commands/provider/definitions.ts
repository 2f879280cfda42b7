import { LIMITS } from '@hubline/contract/constants';
import type { ProviderDefinition, ProviderDefinitionCreate, ProviderPreset } from '@hubline/contract/types';
import { paged } from '../../client/lists.ts';
import type { Context } from '../../context.ts';
import { CommandError, usageError } from '../../errors/errors.ts';
import { docsUrl } from '../../about.ts';
import { assertOneStdin, readInput, readJsonObject, readSecret } from '../../input/read-input.ts';
import { define } from '../../spec/command.ts';
import { LIST_FLAGS } from '../../spec/global-flags.ts';
import { gone, goneView } from '../../views/gone.ts';
import { definitionView, presetView, previewView } from '../../views/provider.ts';
import { shellWord } from '../../terminal/shell-word.ts';

const KEY = { summary: 'Key, such as acme-ci, or ID' } as const;
const DEFINITION = { type: 'text', value: 'json|@file|-' } as const;

export const presets = define({
  path: 'provider presets',
  summary: 'List the tools with a ready-made definition.',
  endpoints: ['providers.listPresets'],
  list: true,
  flags: LIST_FLAGS,
  examples: [
    'hubline provider presets',
    `hubline provider presets --jq '.[] | select(.preset == "stripe").definition' > stripe.json`,
  ],
  view: presetView,
  async run(ctx, { flags }) {
    const client = await ctx.client();
    return paged(ctx, flags, (query) => client.providers.listPresets(query, ctx.request));
  },
});

export const defineProvider = define({
  path: 'provider define',
  summary: 'Define your own tool: how its calls are verified and read.',
  description: `Use a preset, or write the definition as JSON (${docsUrl('guides/custom-providers.md')}). Then connect it like any other tool: hubline integration connect <key>`,
  endpoints: ['providers.listPresets', 'providers.create'],
  flags: {
    preset: {
      type: 'text',
      value: 'preset',
      summary: 'Ready-made definition, from hubline provider presets',
    },
    definition: { ...DEFINITION, summary: 'The definition, as JSON' },
    key: { type: 'text', value: 'key', summary: 'Key, instead of the one in the preset or the file' },
  },
  examples: ['hubline provider define --preset stripe', 'hubline provider define --definition @acme-ci.json'],
  view: definitionView,
  say: ({ name, provider, provider_id }, style) =>
    `${style.green('✓')} Defined ${name} as ${provider} (${provider_id})`,
  next: ({ provider, required_credentials }) =>
    required_credentials.length > 0
      ? `Get its URL first: hubline integration create --provider ${shellWord(provider)}`
      : `Connect it: hubline integration connect ${shellWord(provider)}`,
  async run(ctx, { flags: { preset, definition, key } }) {
    if ((preset === undefined) === (definition === undefined))
      throw usageError('Name either a preset or a definition.', 'Give --preset, or --definition @file.');
    const given =
      preset === undefined
        ? await readJsonObject(ctx, definition ?? '', '--definition')
        : { ...(await findPreset(ctx, preset)).definition };
    const body = { ...given, ...(key === undefined ? {} : { provider: key }) };
    const client = await ctx.client();
    // The server validates the fields.
    return client.providers.create(await ctx.workspace(), body as ProviderDefinitionCreate, ctx.request);
  },
});

export const definitions = define({
  path: 'provider definitions',
  summary: 'List the tools that the workspace has defined.',
  endpoints: ['providers.list'],
  list: true,
  flags: LIST_FLAGS,
  examples: ['hubline provider definitions', 'hubline provider definitions --json=provider,verification'],
  view: definitionView,
  async run(ctx, { flags }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return paged(ctx, flags, (query) => client.providers.list(workspace, query, ctx.request));
  },
});

export const definition = define({
  path: 'provider definition',
  summary: 'Show a tool that the workspace has defined.',
  endpoints: ['providers.get'],
  args: { provider: KEY },
  examples: ['hubline provider definition acme-ci --json'],
  view: definitionView,
  async run(ctx, { args: { provider } }) {
    const client = await ctx.client();
    return client.providers.get(await ctx.workspace(), await idOf(ctx, provider), ctx.request);
  },
});

export const redefine = define({
  path: 'provider redefine',
  summary: 'Change a tool that the workspace has defined. The change applies from the next call.',
  description:
    'Each field in the JSON replaces the old one entirely, null removes it, and all others stay as they are. The key cannot change.',
  endpoints: ['providers.update'],
  args: { provider: KEY },
  flags: { definition: { ...DEFINITION, required: true, summary: 'The fields to change, as JSON' } },
  examples: [
    'hubline provider redefine acme-ci --definition \'{"dedupe_key": ["/id"]}\'',
    'hubline provider redefine acme-ci --definition @acme-ci.json',
  ],
  view: definitionView,
  say: ({ name, provider }, style) => `${style.green('✓')} Changed ${name} (${provider})`,
  async run(ctx, { args: { provider }, flags }) {
    const { provider: key, ...changes } = await readJsonObject(ctx, flags.definition, '--definition');
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    const id = await idOf(ctx, provider);
    // A whole definition contains its key, which is fine; only a different key would be a change.
    const isOwnKey = async (): Promise<boolean> =>
      key === provider || key === (await client.providers.get(workspace, id, ctx.request)).provider;
    const body = key === undefined || (await isOwnKey()) ? changes : { ...changes, provider: key };
    return client.providers.update(workspace, id, body, ctx.request);
  },
});

export const undefine = define({
  path: 'provider undefine',
  summary: 'Delete a tool that the workspace has defined. Its events are kept.',
  endpoints: ['providers.delete'],
  args: { provider: KEY },
  danger: 'confirm',
  question: ({ args: { provider } }) => `Delete the definition of ${provider}?`,
  examples: ['hubline provider undefine acme-ci --yes'],
  view: goneView,
  say: ({ id }, style) => `${style.green('✓')} Deleted the definition ${id}`,
  async run(ctx, { args: { provider } }) {
    const client = await ctx.client();
    const id = await idOf(ctx, provider);
    await client.providers.delete(await ctx.workspace(), id, ctx.request);
    return gone(id);
  },
});

export const preview = define({
  path: 'provider preview',
  summary:
    'Show the event that a call would become. Nothing is stored. Exit code 9 if the call would be refused.',
  endpoints: ['providers.preview'],
  args: { provider: { summary: 'Key or ID of a definition; or --definition', optional: true } },
  flags: {
    definition: { ...DEFINITION, summary: 'A definition that is not stored, as JSON' },
    payload: {
      type: 'text',
      value: 'file|-',
      required: true,
      summary: 'File with the body of the call, exactly as the tool sends it, or stdin',
    },
    header: {
      type: 'text',
      short: 'H',
      value: 'name:value',
      repeatable: true,
      summary: 'Header of the call',
    },
    'secret-file': { type: 'text', value: 'file|-', summary: 'File with the secret to check the call with' },
  },
  examples: [
    'hubline provider preview acme-ci --payload call.json -H "X-Event: build"',
    'hubline provider preview --definition @acme-ci.json --payload call.json --secret-file secret.txt',
  ],
  typed: { body: '--payload', secret: '--secret-file' },
  view: previewView,
  refusal: ({ verification: { result, reason } }) =>
    result === 'refused'
      ? { message: `The call would be refused: ${reason}.`, hint: 'Check the secret and the headers.' }
      : undefined,
  async run(ctx, { args: { provider }, flags }) {
    if ((provider === undefined) === (flags.definition === undefined))
      throw usageError('Name either a provider or a definition.', 'Give its key, or --definition @file.');
    assertOneStdin({
      '--definition': flags.definition?.replace(/^@/, ''),
      '--payload': flags.payload,
      '--secret-file': flags.secretFile,
    });
    const client = await ctx.client();
    const chosen =
      provider === undefined
        ? { definition: await readJsonObject(ctx, flags.definition ?? '', '--definition') }
        : { provider_id: await idOf(ctx, provider) };
    const secret =
      flags.secretFile === undefined ? undefined : await readSecret(ctx, flags.secretFile, '--secret-file');
    const headers = flags.header.map(headerOf);
    const body = {
      ...(chosen as { definition: ProviderDefinitionCreate } | { provider_id: string }),
      body: (await readInput(ctx, flags.payload, '--payload')).toString('utf8'),
      ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
      ...(secret !== undefined && { secret }),
    };
    return client.providers.preview(await ctx.workspace(), body, ctx.request);
  },
});

/** A header from `Name: value`, or from `name=value`, formerly the only form. */
function headerOf(text: string): [name: string, value: string] {
  const [, name, value] = /^([^:=]+)(?::\s*|=)(.*)$/s.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return [name, value];
  throw usageError('--header takes "Name: value".', 'For example: --header "X-Event: build"');
}

async function findPreset(ctx: Context, key: string): Promise<ProviderPreset> {
  const client = await ctx.client();
  for await (const preset of client.providers.listPresets(
    { limit: LIMITS.pageMax },
    { signal: ctx.signal },
  )) {
    if (preset.preset === key) return preset;
  }
  throw new CommandError('not_found', `There is no preset "${key}".`, 'See: hubline provider presets');
}

async function idOf(ctx: Context, provider: string): Promise<string> {
  if (provider.startsWith('prv_')) return provider;
  const found = await findDefinition(ctx, provider);
  if (found) return found.provider_id;
  throw new CommandError(
    'not_found',
    `The workspace has not defined "${provider}".`,
    'See: hubline provider definitions',
  );
}

/** A provider that the workspace has defined, by its key. */
export async function findDefinition(ctx: Context, key: string): Promise<ProviderDefinition | undefined> {
  const client = await ctx.client();
  const workspace = await ctx.workspace();
  for await (const definition of client.providers.list(
    workspace,
    { limit: LIMITS.pageMax },
    { signal: ctx.signal },
  )) {
    if (definition.provider === key) return definition;
  }
  return undefined;
}
