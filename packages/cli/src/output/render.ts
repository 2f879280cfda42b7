import type { Context } from '../context.ts';
import { CommandError, partly } from '../errors.ts';
import type { ArgumentTable } from '../spec/argument.ts';
import type { Command, Input } from '../spec/command.ts';
import type { FlagTable } from '../spec/flag.ts';
import { visible, visibleDeep } from './escape.ts';
import { Failure } from './failure.ts';
import { chooseFormat, exportFormat, type Format } from './format.ts';
import { interruptible, interruptibleItems } from './interruptible.ts';
import { RawText } from './raw-text.ts';
import { parseSelection } from './select.ts';
import { type Sink, stdoutSink, Unread } from './sink.ts';
import { showsUnicode } from './shows-unicode.ts';
import { compileTextFormat } from './text-format.ts';
import { createWriter, type Writer, type WriterOptions } from './writer.ts';

type AnyInput = Input<ArgumentTable, FlagTable>;

/** Runs a command and prints what it gives, in the format that was asked for. */
export async function render(ctx: Context, command: Command, input: AnyInput): Promise<void> {
  if (!ctx.globals.dryRun) return print(ctx, command, input);
  // What the real run would refuse.
  parseSelection(ctx.globals.json, command.view);
  await compileTextFormat(ctx.globals, command.view);
  const { rehearse } = await import('../dry-run/rehearse.ts');
  const { globals, command: found } = await interruptible(rehearse(ctx, command, input), ctx.signal);
  return print({ ...ctx, globals }, found, input);
}

async function print(ctx: Context, command: Command, input: AnyInput): Promise<void> {
  const { format, sink, tty, out } = await destination(ctx, command, input);
  const options = {
    command,
    selected: parseSelection(ctx.globals.json, command.view),
    text: await compileTextFormat(ctx.globals, command.view),
    tty,
    width: ctx.io.stdout.columns,
    style: ctx.style,
    now: ctx.now,
    unicode: showsUnicode(ctx.env),
    program: ctx.program,
  };
  // What drains decides itself what a signal means.
  const signal = command.drains ? new AbortController().signal : ctx.signal;
  try {
    const result = await interruptible(Promise.resolve(command.run(ctx, input)), signal);
    if (isIterable(result)) {
      const shape: WriterOptions['shape'] = command.live ? 'live' : 'many';
      const writer = await createWriter(format, { ...options, shape });
      // On a terminal the rows themselves show how far it is.
      const counts = command.export === true && !tty;
      if (counts) ctx.progress.start('Exported');
      const items = interruptibleItems(result, signal);
      const done = await printAll(ctx, { format, sink, writer, items, tty, counts });
      await sink.finish();
      await summarise(ctx, command, { ...done, file: out });
    } else {
      const writer = await createWriter(format, { ...options, shape: 'one' });
      await sink.write(writer.item(result));
      await sink.write(writer.end());
      refuse(command, result);
      await sink.finish();
      if (format === 'human') tellNext(ctx, command, { item: result, input });
    }
  } catch (error) {
    await sink.abandon();
    if (!(error instanceof Unread)) throw error;
  } finally {
    await ctx.tellBelow();
  }
}

/** stdout; of an export, the file and format that its flags name. */
async function destination(
  ctx: Context,
  command: Command,
  { flags }: AnyInput,
): Promise<{ format: Format; sink: Sink; tty: boolean; out?: string }> {
  const { stdout } = ctx.io;
  const format = command.export ? exportFormat(ctx.globals, flags) : chooseFormat(ctx.globals);
  const { out, force } = flags as { readonly out?: string; readonly force?: boolean };
  if (!command.export || out === undefined) {
    return { format, sink: await stdoutOrPager(ctx, command), tty: stdout.isTTY };
  }
  const { fileSink } = await import('./file-sink.ts');
  return { format, sink: await fileSink(out, force === true), tty: false, out };
}

/** What is there to be read goes through a pager. What a write says, and what goes on, is to be seen while it happens. */
async function stdoutOrPager(ctx: Context, command: Command): Promise<Sink> {
  const { say, live = false, export: exports = false, list: stop = false } = command;
  if (!ctx.io.stdout.isTTY || live || exports || say) return stdoutSink(ctx.io.stdout);
  const { pagedSink } = await import('./paged-sink.ts');
  return pagedSink(ctx, { noPager: ctx.globals.noPager, stop });
}

interface Printing {
  readonly format: Format;
  readonly sink: Sink;
  readonly writer: Writer;
  readonly items: AsyncIterable<unknown>;
  /** Whether the output goes to a terminal. */
  readonly tty: boolean;
  /** Whether the items are counted on stderr. */
  readonly counts: boolean;
}

interface Printed {
  readonly count: number;
  /** Whether some items were text as the server sent it, whose rows nobody has counted. */
  readonly raw: boolean;
}

/** Prints items as they come, and returns how many there were. */
async function printAll(
  ctx: Context,
  { format, sink, writer, items, tty, counts }: Printing,
): Promise<Printed> {
  let raw = false;
  let done = 0;
  let failed = 0;
  try {
    for await (const item of items) {
      if (item instanceof Failure) failed += 1;
      else done += 1;
      raw ||= item instanceof RawText;
      // One line at a time: a bar that is drawn would end up in the middle of the output.
      if (tty) ctx.progress.clear();
      if (counts) ctx.progress.tick(item instanceof RawText ? item.text.split('\n').length - 1 : 1);
      if (item instanceof Failure && format === 'human') await tellFailure(ctx, item);
      else await sink.write(writer.item(item));
    }
  } catch (error) {
    ctx.progress.clear();
    // A document that was begun is closed, so that what was printed can be parsed; one that was not is not begun.
    if (done + failed > 0 && !(error instanceof Unread)) await sink.write(writer.end());
    throw error;
  }
  ctx.progress.clear();
  await sink.write(writer.end());
  if (failed > 0) throw partly(`${failed} of ${done + failed} failed.`);
  return { count: done, raw };
}

function tellFailure({ io, style, progress }: Context, { id, error }: Failure): Promise<void> {
  progress.clear();
  return io.stderr.write(`${style.red('✗')} ${visible(id)}: ${visible(error.message)}\n`);
}

/** How many there are, below a list; where nothing was printed at all, that there is nothing. */
async function summarise(
  ctx: Context,
  { view, list, live, say }: Command,
  { count, raw, file }: Printed & { readonly file: string | undefined },
): Promise<void> {
  const [one, many] = view.noun;
  const counted = `${count} ${count === 1 ? one : many}`;
  if (file !== undefined)
    await ctx.note(`${ctx.style.green('✓')} Wrote ${raw ? many : counted} into ${file}`);
  else if (count === 0 && !live && !say) await ctx.note(`No ${many}.`);
  else if (list && count > 0 && ctx.io.stdout.isTTY) await ctx.note(ctx.style.dim(counted));
}

/** The next step, below what a write has done. */
function tellNext(ctx: Context, command: Command, { item, input }: { item: unknown; input: AnyInput }): void {
  const next = command.next?.(visibleDeep(item), input);
  if (next !== undefined) ctx.noteBelow(ctx.style.dim(next));
}

function refuse(command: Command, item: unknown): void {
  const refusal = command.refusal?.(item);
  if (refusal) throw new CommandError('check_failed', refusal.message, refusal.hint);
}

function isIterable(result: unknown): result is AsyncIterable<unknown> {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
}
