import type { Hubline } from '@hubline/sdk';
import { refuseSharedKey } from '../../input/shared-key.ts';
import type { Context } from '../../context.ts';
import { cancelled } from '../../errors/errors.ts';
import { readJsonObject } from '../../input/read-input.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';
import { makeSeeds, type Seeded } from './make-seeds.ts';
import { defaultPlan, parsePlan, type SeedPlan } from './plan.ts';

const seed = define({
  path: 'seed',
  summary: 'Fill a server with workspaces, members and events from real samples, to try things out.',
  description:
    'A plan is JSON: {"workspaces": [{"slug", "name", "members": [{"email", "role"}], "events": [{"type", "payload"}], "samples": 100}]}. With --reset, workspaces of these slugs are deleted first. --dry-run counts what each workspace would get.',
  endpoints: ['workspaces.create', 'members.invite', 'events.publishBatch', 'workspaces.delete'],
  args: { plan: { summary: 'File with a plan, - for stdin; default: demo-1, demo-2, …', optional: true } },
  flags: {
    workspaces: {
      type: 'integer',
      value: 'n',
      min: 1,
      default: 1,
      summary: 'Without a plan: this many workspaces',
    },
    events: { type: 'integer', value: 'n', default: 50, summary: 'Without a plan: this many events in each' },
    reset: { type: 'boolean', summary: 'Delete the workspaces first, with everything in them' },
  },
  examples: [
    'hubline seed',
    'hubline seed --workspaces 3 --events 1000 --reset --yes',
    'hubline seed plan.json',
  ],
  view: view<Seeded>()({
    noun: ['workspace', 'workspaces'],
    fields: ['id', 'slug', 'members', 'events'],
    columns: ['id', 'slug', 'members', 'events'],
    id: 'id',
  }),
  say: ({ slug, id, members, events }, style) => {
    const what = `${members} invitations and ${events} events`;
    return id === null
      ? `${style.yellow('Would')} make ${slug} with ${what}`
      : `${style.green('✓')} Made ${slug} (${id}) with ${what}`;
  },
  async run(ctx, { args, flags }) {
    const plan =
      args.plan === undefined
        ? defaultPlan(flags.workspaces, flags.events)
        : parsePlan(await readJsonObject(ctx, args.plan === '-' ? '-' : `@${args.plan}`, 'The plan'));
    refuseSharedKey(ctx, Infinity);
    const client = await ctx.client();
    if (flags.reset) await reset(ctx, client, plan);
    return makeSeeds(ctx, client, plan);
  },
});

/** Deletes the workspaces that are about to be made again. */
async function reset(ctx: Context, client: Hubline, { workspaces }: SeedPlan): Promise<void> {
  const slugs = new Set(workspaces.map(({ slug }) => slug));
  const { memberships } = await client.me.get({ signal: ctx.signal });
  const found = memberships.filter(({ slug }) => slugs.has(slug));
  if (found.length === 0) return;
  const names = found.map(({ slug }) => slug).join(', ');
  if (ctx.globals.dryRun) return ctx.note(`Would delete ${names} first, with everything in them.`);
  if (!ctx.globals.yes) {
    const question = `Delete ${names} with everything in them?`;
    if (!(await (await ctx.prompt('--yes')).confirm(question))) {
      throw cancelled();
    }
  }
  for (const { workspace_id: id } of found) {
    await client.workspaces.delete(id, { signal: ctx.signal });
  }
}

export const commands = [seed] as const;
