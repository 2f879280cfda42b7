import type { Hubline, RequestOptions } from '@hubline/sdk';
import { isOutage, pollPause } from '../../client/follow-list.ts';
import { CommandError, usageError } from '../../errors/errors.ts';
import { toText, valueAt } from '../../output/fields.ts';
import { define } from '../../spec/command.ts';
import type { View } from '../../spec/view.ts';

type Thing = Readonly<Record<string, unknown>>;

interface Asked {
  readonly id: string;
  readonly options: RequestOptions;
  workspace(): Promise<string>;
}

interface Kind {
  read(client: Hubline, asked: Asked): Promise<Thing>;
  /** The condition to wait for by default. */
  readonly goal: string;
  /** The statuses that never change again. */
  readonly final: readonly string[];
  /** True if it may not exist yet. */
  readonly mayComeLater?: true;
}

const thing = (value: object): Thing => ({ ...value });

const KINDS: Readonly<Record<string, Kind>> = {
  delivery: {
    read: async (client, { id, options }) => thing(await client.deliveries.get(id, options)),
    goal: 'status=delivered',
    final: ['delivered', 'failed', 'cancelled'],
  },
  integration: {
    read: async (client, { id, options }) => thing(await client.integrations.get(id, options)),
    goal: 'status=connected',
    final: [],
  },
  event: {
    read: async (client, { id, options, workspace }) =>
      thing(await client.events.get(await workspace(), id, options)),
    goal: 'event_id',
    final: [],
    mayComeLater: true,
  },
  recovery: {
    read: async (client, { id, options }) => thing(await client.recoveries.get(id, options)),
    goal: 'completed_at',
    final: [],
  },
};

const view: View<Thing> = { noun: ['item', 'items'], fields: [], columns: [], id: 'id' };
const FIRST_PAUSE_MS = 250;
// The time for a last request at the end of the wait. A request that hangs ends then, too.
const LAST_LOOK_MS = 1_000;
// Node would fire a longer timer at once.
const TIMER_MAX_MS = 2 ** 31 - 1;

const wait = define({
  path: 'wait',
  summary:
    'Wait until a delivery, integration, event or recovery has a status. Exit code 9 if that does not happen.',
  description:
    'Without --for, it waits until a delivery is delivered, an integration is connected, an event exists, or a recovery is done. --within limits the whole wait.',
  endpoints: ['deliveries.get', 'integrations.get', 'events.get', 'recoveries.get'],
  args: {
    kind: { summary: Object.keys(KINDS).join(', '), choices: Object.keys(KINDS) },
    id: { summary: 'ID' },
  },
  flags: {
    for: {
      type: 'text',
      value: 'field=value',
      summary: 'Condition, such as status=failed; a field alone accepts any value',
    },
    within: { type: 'duration', value: 'duration', default: '1m', summary: 'Give up after this time' },
  },
  examples: [
    'hubline wait delivery dlv_06f8xw2b3c4d5e6f7g8h9j0kmn --for status=delivered --within 60s',
    'hubline wait recovery rec_06f8xw2b3c4d5e6f7g8h9j0kmn --within 10m -q',
  ],
  view,
  cure: ({ status }, { args: { kind } }) =>
    status === 404 && kind !== 'recovery' ? `List them: hubline ${kind} list` : undefined,
  async run(ctx, { args, flags }): Promise<Thing> {
    const kind = Object.hasOwn(KINDS, args.kind) ? KINDS[args.kind] : undefined;
    if (!kind)
      throw usageError(
        `Cannot wait for "${args.kind}".`,
        `Wait for one of: ${Object.keys(KINDS).join(', ')}.`,
      );
    const goal = flags.for ?? kind.goal;
    const [field = '', ...values] = goal.split('=');
    const client = await ctx.client();
    const pause = pollPause(ctx.signal, FIRST_PAUSE_MS);
    const end = ctx.now() + flags.within;
    const over = AbortSignal.timeout(Math.min(flags.within + LAST_LOOK_MS, TIMER_MAX_MS));
    const asked: Asked = {
      id: args.id,
      options: { signal: AbortSignal.any([ctx.signal, over]) },
      workspace: () => ctx.workspace(),
    };
    for (let responded = false; ; responded = true) {
      const found = await kind.read(client, asked).catch(async (error: unknown) => {
        if (over.aborted && !ctx.signal.aborted) return 'late';
        // A server that was already running may be restarted in the meantime.
        if (responded && !ctx.signal.aborted && (await isOutage(error))) return undefined;
        return missing(kind, error);
      });
      if (found === 'late') throw timedOut(goal, 'the server does not respond');
      if (found && valueAt(found, field) === undefined) refuseField(args.kind, field, found);
      const text = toText(valueAt(found, field));
      if (values.length > 0 ? text === values.join('=') : text !== '') {
        // Adds `id`, whatever the thing itself calls it, because -q prints it.
        return { id: args.id, ...found };
      }
      if (field === 'status' && kind.final.includes(text)) {
        throw new CommandError(
          'check_failed',
          `The ${args.kind} is ${text}, and that is final.`,
          `See: hubline ${args.kind} get ${args.id}`,
        );
      }
      if (ctx.now() >= end) {
        throw timedOut(goal, found ? `${field} is ${text || 'not set'}` : 'it is not there');
      }
      await pause(false, end - ctx.now());
    }
  },
});

const timedOut = (goal: string, now: string) =>
  new CommandError(
    'check_failed',
    `Timed out waiting for ${goal}: ${now}.`,
    'Allow more time with --within.',
  );

/** Refuses an unknown field: a response has all of its fields, `null` for those without a value. */
function refuseField(kind: string, field: string, found: Thing): never {
  throw usageError(
    `--for: this ${kind} has no field "${field}".`,
    `Its fields are ${Object.keys(found).join(', ')}. For a status: --for status=…`,
  );
}

function missing({ mayComeLater }: Kind, error: unknown): undefined {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  if (mayComeLater && status === 404) return undefined;
  throw error;
}

export const commands = [wait] as const;
