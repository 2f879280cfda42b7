import type { Context } from '../context.ts';
import { type AnyInput, type Command, define } from '../spec/command.ts';
import type { Globals } from '../spec/global-flags.ts';
import { Failure } from '../output/items.ts';
import { view } from '../spec/view.ts';
import type { Style } from '../terminal/io.ts';
import { onThisMachine, orNoted, type Step } from './steps.ts';

const stepView = view<Step>()({
  noun: ['step', 'steps'],
  fields: ['what', 'method', 'path', 'idempotency_key', 'body'],
  columns: [{ path: 'what', flexible: true }, 'idempotency_key', 'body'],
  id: 'what',
});

/** The most lines on a screen. A program gets all of them. */
const MOST_LINES = 30;

/** The mistakes that only the server can find, when it gets the request. */
const UNCHECKED =
  'Not checked: permissions, limits, conflicts, the rules for URLs, and whether members and integrations can be used like this. See: hubline help scripting';

/** One line for people, with the key and the body of a request below it. */
function stepLine({ what, idempotency_key: key, body }: Step, style: Style): string {
  return [
    `${style.yellow('Would')} ${what}`,
    ...(key === null ? [] : [style.dim(`  idempotency key ${key}`)]),
    ...(body === null ? [] : bodyLines(body).map((line) => `  ${line}`)),
  ].join('\n');
}

function bodyLines(body: unknown): string[] {
  if (Array.isArray(body)) return body.map(String);
  const lines = JSON.stringify(body, null, 2).split('\n');
  if (lines.length <= MOST_LINES) return lines;
  return [
    ...lines.slice(0, MOST_LINES),
    `… ${lines.length - MOST_LINES} more lines; --json prints all of them`,
  ];
}

/** The command and flags that are left to print after a rehearsal. */
interface Rehearsed {
  readonly command: Command;
  readonly globals: Globals;
}

/**
 * Runs a command without changing anything. A command that would change something prints its steps. A command that only reads, or
 * that has its own dry run, prints its usual output. The result of a step is unknown, so a command gives either steps or items.
 */
export async function rehearse(ctx: Context, command: Command, input: AnyInput): Promise<Rehearsed> {
  const { globals, steps } = ctx;
  const { out } = input.flags as { readonly out?: string };
  if (command.export && out !== undefined) {
    steps.push(onThisMachine(`write ${command.view.noun[1]} into ${out}`));
    return planned(ctx);
  }
  const result = await orNoted(Promise.resolve(command.run(ctx, input)), undefined);
  if (!isIterable(result)) {
    return steps.length > 0 ? planned(ctx) : { command: { ...command, run: async () => result }, globals };
  }
  const items = result[Symbol.asyncIterator]();
  // Refusals come between the steps of the others, so they are collected until there is a result, or all is done.
  const refusals: Failure[] = [];
  const next = async (): Promise<IteratorResult<unknown> | undefined> => {
    for (;;) {
      const each = await orNoted(items.next(), undefined);
      if (each?.done !== false || !(each.value instanceof Failure)) return each;
      refusals.push(each.value);
    }
  };
  const first = await next();
  if (steps.length > 0 || first === undefined) return planned(ctx, refusals);
  return { command: { ...command, run: () => rest(refusals, first, items) }, globals };
}

/** A command that lists the steps, and then what was refused. The fields and templates of the rehearsed command do not apply to them. */
function planned(ctx: Context, refusals: readonly Failure[] = []): Rehearsed {
  const { globals, steps } = ctx;
  if (!ctx.machine && steps.some(({ method }) => method !== null)) ctx.noteBelow(ctx.style.dim(UNCHECKED));
  const command = define({
    path: 'dry-run',
    summary: 'What would be done.',
    examples: ['hubline dry-run'],
    view: stepView,
    say: stepLine,
    async *run() {
      yield* steps;
      yield* refusals as unknown as Step[];
    },
  });
  return {
    command,
    globals: {
      ...globals,
      json: globals.json === undefined ? undefined : '*',
      template: undefined,
    },
  };
}

async function* rest(
  refusals: readonly Failure[],
  first: IteratorResult<unknown>,
  items: AsyncIterator<unknown>,
): AsyncGenerator {
  yield* refusals;
  for (let step = first; !step.done; step = await items.next()) yield step.value;
}

function isIterable(result: unknown): result is AsyncIterable<unknown> {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
}
