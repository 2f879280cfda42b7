import { LIMITS, RUN_STATUSES } from '@hubline/contract/constants';
import type { AutomationRun } from '@hubline/contract/types';
import { followList } from '../../client/follow-list.ts';
import { paged } from '../../client/lists.ts';
import { define } from '../../spec/command.ts';
import { LIST_FLAGS } from '../../spec/global-flags.ts';
import { runDetailView, runView } from '../../views/automation.ts';
import { showRun } from './show-run.ts';
import { shellWord } from '../../terminal/shell-word.ts';

const ID = 'aut_06f8xw2b3c4d5e6f7g8h9j0kmn';
const RUN = 'run_06f8xw2b3c4d5e6f7g8h9j0kmn';

const start = define({
  path: 'automation run',
  summary: 'Start a run by hand, whatever its trigger and conditions say.',
  endpoints: ['automations.run'],
  args: { automation: { summary: 'ID' } },
  flags: { event: { type: 'text', value: 'id', summary: 'Event for the run' } },
  examples: [`hubline automation run ${ID}`],
  view: runView,
  say: ({ id }, style) => `${style.green('✓')} Run ${id} is queued`,
  next: ({ id, automation_id }) =>
    `See its steps: hubline automation get-run ${shellWord(automation_id)} ${shellWord(id)}`,
  async run(ctx, { args, flags: { event: event_id } }) {
    const client = await ctx.client();
    return client.automations.run(await ctx.workspace(), args.automation, { event_id }, ctx.request);
  },
});

const OPEN: ReadonlySet<string> = new Set(['queued', 'running', 'waiting']);

const runs = define({
  path: 'automation runs',
  summary: 'List the runs of an automation, newest first; with --follow, as they begin and change.',
  endpoints: ['automations.listRuns'],
  list: true,
  follows: true,
  args: { automation: { summary: 'ID' } },
  flags: {
    status: { type: 'text', value: 'status', choices: RUN_STATUSES, summary: 'Only runs with this status' },
    event: { type: 'text', value: 'id', summary: 'Only runs of this event' },
    since: { type: 'time', value: 'time', summary: 'Only runs after this time, or within this duration: 2h' },
    follow: {
      type: 'boolean',
      short: 'f',
      summary: 'Keep following until Ctrl-C, even if the server restarts',
    },
    ...LIST_FLAGS,
    limit: {
      type: 'integer',
      short: 'L',
      value: 'n',
      min: 1,
      summary: `Print at most this many (default: ${LIMITS.pageDefault}, or no limit with --follow)`,
    },
  },
  examples: [`hubline automation runs ${ID} --status failed`, `hubline automation runs ${ID} --follow`],
  view: runView,
  async run(ctx, { args, flags }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    const { status, event: event_id, since, follow, all, limit } = flags;
    if (!follow)
      return paged(ctx, { all, limit: limit ?? LIMITS.pageDefault }, (query) =>
        client.automations.listRuns(
          workspace,
          args.automation,
          { status, event_id, since, ...query },
          ctx.request,
        ),
      );
    const following = followList<AutomationRun>(ctx, {
      since,
      // Without the status: a list that leaves out open runs would not show how they end.
      list: (query, options) =>
        client.automations.listRuns(workspace, args.automation, { event_id, ...query }, options),
      stateOf: (run) => run.status,
      isOpen: (run) => OPEN.has(run.status),
    });
    return withStatus(following, { status, limit });
  },
});

/** The runs with a status, up to a limit. */
async function* withStatus(
  following: AsyncIterable<AutomationRun>,
  { status, limit = Infinity }: { status: AutomationRun['status'] | undefined; limit: number | undefined },
): AsyncGenerator<AutomationRun> {
  let count = 0;
  for await (const run of following) {
    if (status !== undefined && run.status !== status) continue;
    yield run;
    if ((count += 1) === limit) return;
  }
}

const runArgs = { automation: { summary: 'ID' }, run: { summary: 'ID of the run' } } as const;

const getRun = define({
  path: 'automation get-run',
  summary: 'Show a run with the request, response and error of each step.',
  endpoints: ['automations.getRun'],
  args: runArgs,
  document: true,
  show: showRun,
  examples: [`hubline automation get-run ${ID} ${RUN}`],
  view: runDetailView,
  async run(ctx, { args }) {
    const client = await ctx.client();
    return client.automations.getRun(await ctx.workspace(), args.automation, args.run, ctx.request);
  },
});

const retryRun = define({
  path: 'automation retry-run',
  summary: 'Continue a failed or cancelled run at the first step that was not done.',
  endpoints: ['automations.retryRun'],
  args: runArgs,
  examples: [`hubline automation retry-run ${ID} ${RUN}`],
  view: runView,
  say: ({ id }, style) => `${style.green('✓')} Run ${id} is queued for a retry`,
  async run(ctx, { args }) {
    const client = await ctx.client();
    return client.automations.retryRun(await ctx.workspace(), args.automation, args.run, ctx.request);
  },
});

const cancelRun = define({
  path: 'automation cancel-run',
  summary: 'End a run before its next step.',
  endpoints: ['automations.cancelRun'],
  args: runArgs,
  examples: [`hubline automation cancel-run ${ID} ${RUN}`],
  view: runView,
  say: ({ id }, style) => `${style.green('✓')} Cancelled run ${id}`,
  async run(ctx, { args }) {
    const client = await ctx.client();
    return client.automations.cancelRun(await ctx.workspace(), args.automation, args.run, ctx.request);
  },
});

/** The commands about the runs of an automation. */
export const runCommands = [start, runs, getRun, retryRun, cancelRun] as const;
