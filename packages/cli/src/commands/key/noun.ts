import { ROLES } from '@hubline/contract/constants';
import type { Scope } from '@hubline/contract/types';
import { eachId, paged } from '../../client/lists.ts';
import { loginCommand } from '../../config/settings.ts';
import { usageError } from '../../errors/errors.ts';
import { durationText } from '../../output/time.ts';
import { define } from '../../spec/command.ts';
import type { FlagTable } from '../../spec/flag.ts';
import { LIST_FLAGS } from '../../spec/global-flags.ts';
import { gone, goneView } from '../../views/gone.ts';
import { createdKeyView, keyView } from '../../views/key.ts';
import { shellWord } from '../../terminal/shell-word.ts';

/** The scopes of the contract, as choices. */
const SCOPES = [
  '*',
  'workspaces:read',
  'workspaces:write',
  'members:read',
  'members:write',
  'integrations:read',
  'integrations:write',
  'events:read',
  'events:write',
  'webhooks:read',
  'webhooks:write',
  'automations:read',
  'automations:write',
  'notifications:read',
  'notifications:write',
  'api_keys:read',
  'api_keys:write',
  'audit_log:read',
  'audit_log:write',
] as const satisfies readonly Scope[];

const personalFlag = (summary: string) =>
  ({ personal: { type: 'boolean', summary } }) as const satisfies FlagTable;

const list = define({
  path: 'key list',
  summary: 'List API keys, without their secrets.',
  aliases: ['ls'],
  endpoints: ['apiKeys.list', 'personalApiKeys.list'],
  list: true,
  flags: { ...personalFlag('Your own keys, instead of those of this workspace'), ...LIST_FLAGS },
  examples: ['hubline key list', 'hubline key list --personal --json=id,last_used_at'],
  view: keyView,
  ifEmpty: ({ flags: { personal } }) =>
    personal ? undefined : 'For your own keys: hubline key list --personal',
  async run(ctx, { flags }) {
    const client = await ctx.client();
    if (flags.personal) return paged(ctx, flags, (query) => client.personalApiKeys.list(query, ctx.request));
    const workspace = await ctx.workspace();
    return paged(ctx, flags, (query) => client.apiKeys.list(workspace, query, ctx.request));
  },
});

const create = define({
  path: 'key create',
  summary: 'Create an API key. It is printed once.',
  endpoints: ['apiKeys.create', 'personalApiKeys.create'],
  flags: {
    name: { type: 'text', value: 'name', required: true, prompt: 'Name', summary: 'Purpose of the key' },
    scope: {
      type: 'text',
      value: 'scope',
      choices: SCOPES,
      repeatable: true,
      summary:
        'Scopes (default: those of your own key); anything that shows a stored event also needs events:read',
    },
    role: { type: 'text', value: 'role', choices: ROLES, summary: 'Acts with at most this role' },
    expires: {
      type: 'later',
      value: 'time',
      summary: 'Expiry: a time, or a duration such as 90d (default: that of your own key, if it has one)',
    },
    ...personalFlag('Your own key for all your workspaces, instead of one for this workspace'),
  },
  examples: [
    'hubline key create --name ci --scope events:write --expires 90d',
    'hubline key create --name laptop --personal --json=key',
  ],
  view: createdKeyView,
  // A key that expires creates only keys that expire, even if nobody asked for that.
  say: ({ id, name, expires_at: end }, style) =>
    `${style.green('✓')} Created key ${name} (${id})${end === null ? '' : `, which works until ${end}`}. It is shown only now:`,
  ifLost: ({ id }, { flags: { personal } }) =>
    `Revoke it: hubline key revoke ${shellWord(id)}${personal ? ' --personal' : ''}`,
  async run(ctx, { flags: { name, scope, role, expires, personal } }) {
    if (personal && role)
      throw usageError(
        '--role is for keys of a workspace, not for personal ones.',
        'Leave out --role or --personal.',
      );
    const scopes = scope.length > 0 ? scope : undefined;
    const client = await ctx.client();
    const body = { name, scopes, expires_at: expires };
    const made = personal
      ? await client.personalApiKeys.create(body, ctx.request)
      : await client.apiKeys.create(await ctx.workspace(), { ...body, role }, ctx.request);
    if (!ctx.machine) {
      // The key is often for another shell, which does not know this server.
      const { baseUrl } = await ctx.settings();
      ctx.noteBelow(`Log in with it: ${loginCommand(baseUrl.value)}. In a script, set HUBLINE_API_KEY.`);
    }
    return made;
  },
});

const get = define({
  path: 'key get',
  summary: 'Show keys of the workspace, without their secrets.',
  aliases: ['view', 'show'],
  endpoints: ['apiKeys.get'],
  args: { key: { summary: 'IDs; - reads them from stdin', variadic: true, ids: true } },
  examples: ['hubline key get key_06f8xw2b3c4d5e6f7g8h9j0kmn'],
  view: keyView,
  async run(ctx, { args }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return eachId(ctx, args.key, (id) => client.apiKeys.get(workspace, id, ctx.request));
  },
});

const update = define({
  path: 'key update',
  summary: 'Change name, scopes or role of a key of the workspace.',
  needsFlag: true,
  endpoints: ['apiKeys.update'],
  args: { key: { summary: 'ID' } },
  flags: {
    name: { type: 'text', value: 'name', summary: 'New name' },
    scope: {
      type: 'text',
      value: 'scope',
      choices: SCOPES,
      repeatable: true,
      summary: 'The complete list of new scopes; anything that shows a stored event also needs events:read',
    },
    role: {
      type: 'text',
      value: 'role',
      choices: [...ROLES, 'none'],
      summary: 'Acts with at most this role; none removes the cap',
    },
  },
  examples: ['hubline key update key_06f8xw2b3c4d5e6f7g8h9j0kmn --scope events:read --scope events:write'],
  view: keyView,
  say: ({ id, name }, style) => `${style.green('✓')} Updated key ${name} (${id})`,
  async run(ctx, { args, flags: { name, scope, role } }) {
    const scopes = scope.length > 0 ? scope : undefined;
    const client = await ctx.client();
    const changes = { name, scopes, role: role === 'none' ? null : role };
    return client.apiKeys.update(await ctx.workspace(), args.key, changes, ctx.request);
  },
});

const rotate = define({
  path: 'key rotate',
  summary: 'Give a key of the workspace a new secret. It is printed once.',
  description:
    'Without --overlap the old secret stops working at once, and so does every program that still uses it.',
  endpoints: ['apiKeys.rotate'],
  danger: 'confirm',
  question: ({ args: { key }, flags: { overlap } }) =>
    overlap === undefined
      ? `Rotate ${key}? Its old secret stops working at once; --overlap keeps it for a while.`
      : `Rotate ${key}? Its old secret works for another ${durationText(overlap)}.`,
  args: { key: { summary: 'ID' } },
  flags: {
    overlap: {
      type: 'duration',
      value: 'duration',
      summary: 'Keep the old secret working for this long, at most 7d',
    },
  },
  examples: [
    'hubline key rotate key_06f8xw2b3c4d5e6f7g8h9j0kmn --overlap 1h',
    'hubline key rotate key_06f8xw2b3c4d5e6f7g8h9j0kmn --overlap 1h --yes --template {{key}}',
  ],
  view: createdKeyView,
  say: ({ id, name }, style) => `${style.green('✓')} Rotated key ${name} (${id}). It is shown only now:`,
  ifLost: ({ id }) => `Rotate it again: hubline key rotate ${shellWord(id)}`,
  async run(ctx, { args, flags: { overlap } }) {
    const client = await ctx.client();
    const body = { overlap_seconds: overlap === undefined ? undefined : Math.ceil(overlap / 1_000) };
    return client.apiKeys.rotate(await ctx.workspace(), args.key, body, ctx.request);
  },
});

const revoke = define({
  path: 'key revoke',
  summary: 'Revoke keys. They stop working at once.',
  aliases: ['delete', 'rm'],
  endpoints: ['apiKeys.revoke', 'personalApiKeys.revoke'],
  danger: 'confirm',
  question: ({ args }) => `Revoke ${args.key.join(', ')}? Programs that use them stop working.`,
  args: { key: { summary: 'IDs; - reads them from stdin', variadic: true, ids: true } },
  flags: personalFlag('Your own keys, instead of those of this workspace'),
  examples: ['hubline key revoke key_06f8xw2b3c4d5e6f7g8h9j0kmn --yes'],
  view: goneView,
  say: ({ id }, style) => `${style.green('✓')} Revoked key ${id}`,
  async run(ctx, { args, flags }) {
    const client = await ctx.client();
    const workspace = flags.personal ? undefined : await ctx.workspace();
    return eachId(ctx, args.key, async (id) => {
      if (workspace === undefined) await client.personalApiKeys.revoke(id, ctx.request);
      else await client.apiKeys.revoke(workspace, id, ctx.request);
      return gone(id);
    });
  },
});

export const commands = [list, create, get, update, revoke, rotate] as const;
