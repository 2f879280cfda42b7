import type { Context } from './context.ts';
import { saysAlready } from './errors/describe-error.ts';
import { Refused } from './errors/errors.ts';
import { interruptible, interruptibleItems } from './interruptible.ts';
import { createPrinter, parsePrinting } from './output/printer.ts';
import { Unread } from './output/sinks.ts';
import type { AnyInput, Command } from './spec/command.ts';
import { visibleDeep } from './terminal/text.ts';

/** Runs a command and prints its result. A dry run rehearses the command first, and prints its steps. */
export async function execute(ctx: Context, given: Command, input: AnyInput): Promise<void> {
  const command = shapeOf(given, input);
  if (!ctx.globals.dryRun) return runAndPrint(ctx, command, input);
  // The real run would refuse a wrong field or template; so does the rehearsal.
  await parsePrinting(ctx, command.view);
  const { rehearse } = await import('./dry-run/rehearse.ts');
  const rehearsed = await interruptible(rehearse(ctx, command, input), ctx.signal);
  return runAndPrint({ ...ctx, globals: rehearsed.globals }, rehearsed.command, input);
}

/** The command as it runs: a list with `--follow` is live. */
function shapeOf(command: Command, { flags }: AnyInput): Command {
  if (!command.follows || flags['follow'] !== true) return command;
  const { list: _, ...live } = command;
  return { ...live, live: true };
}

async function runAndPrint(ctx: Context, command: Command, input: AnyInput): Promise<void> {
  const printer = await createPrinter(ctx, command, input);
  // A command that drains decides itself what a signal means.
  const signal = command.drains?.(input) ? new AbortController().signal : ctx.signal;
  try {
    const result = await interruptible(Promise.resolve(command.run(ctx, input)), signal);
    if (isIterable(result)) {
      await printer.many(interruptibleItems(result, signal));
    } else {
      const printed = await printer.one(result);
      refuse(command, result, printed);
      await printer.finish();
      if (printed !== undefined) suggestNext(ctx, command, { item: result, input });
    }
  } catch (error) {
    await printer.abandon();
    if (!(error instanceof Unread)) throw error;
  } finally {
    await printer.showLeftOut();
    await ctx.printBelow();
  }
}

/** Ends the command with exit code 9 when its item means "no". `printed` is the text that was printed for people. */
function refuse(command: Command, item: unknown, printed: string | undefined): void {
  const refusal = command.refusal?.(item);
  if (!refusal) return;
  throw new Refused(refusal.message, refusal.hint, saysAlready(printed ?? '', refusal.message));
}

/** Tells people the next step, below the message of a write. */
function suggestNext(
  ctx: Context,
  command: Command,
  { item, input }: { item: unknown; input: AnyInput },
): void {
  const next = command.next?.(visibleDeep(item), input);
  if (next !== undefined) ctx.noteBelow(ctx.style.dim(next));
}

function isIterable(result: unknown): result is AsyncIterable<unknown> {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
}
