import type { Context } from '../context.ts';
import { partly } from '../errors/errors.ts';
import { asWorded } from '../errors/name-typed.ts';
import type { AnyInput, Command } from '../spec/command.ts';
import type { AnyView } from '../spec/view.ts';
import { visible, writeJson } from '../terminal/text.ts';
import { CsvRecords } from './csv-records.ts';
import { parseSelection } from './fields.ts';
import { chooseFormat, exportFormat, type Format } from './formats/format.ts';
import { Failure, RawText } from './items.ts';
import { watchSecrets } from './one-time-secrets.ts';
import { showsUnicode } from './screen.ts';
import { type Sink, streamSink, Unread } from './sinks.ts';
import { compileTextFormat, type TextFormat } from './formats/text-format.ts';
import { createWriter, type Writer, type WriterOptions } from './formats/writer.ts';

/** Prints the result of one command, in the format that was asked for. */
interface Printer {
  /** Prints the only item. Returns the text if it is for people. */
  one(item: unknown): Promise<string | undefined>;
  /** Prints items as they come, and says how many there were. */
  many(items: AsyncIterable<unknown>): Promise<void>;
  /** Ends the output after everything was written. */
  finish(): Promise<void>;
  /** Ends the output after a failure: it is incomplete. */
  abandon(): Promise<void>;
  /** Shows on stderr the one-time secrets that the output has left out. */
  showLeftOut(): Promise<void>;
}

/** Checks `--json=fields`, `--jq` and `--template`, before the command does anything. */
export async function parsePrinting(
  ctx: Pick<Context, 'globals' | 'blocking'>,
  view: AnyView,
): Promise<{ selected: readonly string[] | undefined; text: TextFormat }> {
  return { selected: parseSelection(ctx.globals.json, view), text: await compileTextFormat(ctx, view) };
}

/** Makes the printer of a command. */
export async function createPrinter(ctx: Context, command: Command, input: AnyInput): Promise<Printer> {
  const { format, sink: target, tty, out } = await destination(ctx, command, input);
  const secrets = watchSecrets(ctx, { format, command, input });
  const sink: Sink = {
    ...target,
    write: async (text) => {
      await target.write(text);
      secrets.printed(text);
    },
  };
  const options = {
    command,
    ...(await parsePrinting(ctx, command.view)),
    tty,
    width: ctx.io.stdout.columns,
    style: ctx.style,
    now: ctx.now,
    unicode: showsUnicode(ctx.env),
    asTyped: ctx.asTyped,
  };
  const writerOf = async (shape: WriterOptions['shape']): Promise<Writer> =>
    watched(await createWriter(format, { ...options, shape }), secrets.given);
  return {
    one: async (item) => {
      const writer = await writerOf('one');
      const text = writer.item(item);
      await sink.write(text);
      await sink.write(writer.end());
      return format === 'human' ? String(text) : undefined;
    },
    many: async (items) => {
      const writer = await writerOf(command.live ? 'live' : 'many');
      // On a terminal, the rows themselves show the progress.
      const counts = command.export !== undefined && !tty;
      if (counts) ctx.progress.start('Exported');
      const printed = await printAll(ctx, {
        format,
        sink,
        writer,
        items,
        tty,
        counts,
        typed: { command, ...input },
      });
      await sink.finish();
      await summarize(ctx, command, { ...printed, file: out, input });
    },
    finish: () => sink.finish(),
    abandon: () => sink.abandon(),
    showLeftOut: () => secrets.showLeftOut(),
  };
}

/** The file of `--out` that stands for stdout, as in `backup create`. */
const STDOUT = '-';

/** A writer that reports each item before it writes it. */
function watched({ item: write, end }: Writer, given: (item: unknown) => void): Writer {
  return {
    item: (item) => {
      given(item);
      return write(item);
    },
    end,
  };
}

/** The destination of the output: stdout or, for an export, the file and format that its flags name. */
async function destination(
  ctx: Context,
  command: Command,
  { flags }: AnyInput,
): Promise<{ format: Format; sink: Sink; tty: boolean; out?: string }> {
  const { stdout } = ctx.io;
  const format = command.export
    ? exportFormat(ctx.globals, flags, command.export)
    : chooseFormat(ctx.globals);
  const { out, force } = flags as { readonly out?: string; readonly force?: boolean };
  if (!command.export || out === undefined || out === STDOUT) {
    return { format, sink: await stdoutOrPager(ctx, command), tty: stdout.isTTY };
  }
  const { fileSink } = await import('./sinks.ts');
  return { format, sink: await fileSink(ctx, out, force === true), tty: false, out };
}

/** A pager for output to read. The message of a write, and live output, must be visible at once. */
async function stdoutOrPager(ctx: Context, command: Command): Promise<Sink> {
  const { say, live = false, export: exports, list: stop = false } = command;
  if (!ctx.io.stdout.isTTY || live || exports || say) return streamSink(ctx.io.stdout);
  const { pagedSink } = await import('./sinks.ts');
  return pagedSink(ctx, { noPager: ctx.globals.noPager, stop });
}

/** The formats that show all of a failure, unless fields are selected. */
const WHOLE: readonly Format[] = ['json', 'ndjson', 'yaml'];
/** The formats for people, which have no row for a failure. */
const FOR_PEOPLE: readonly Format[] = ['human', 'table'];

interface Printing {
  readonly format: Format;
  readonly sink: Sink;
  readonly writer: Writer;
  readonly items: AsyncIterable<unknown>;
  /** The output goes to a terminal. */
  readonly tty: boolean;
  /** The items are counted on stderr. */
  readonly counts: boolean;
  /** The command line, whose words a failure names. */
  readonly typed: AnyInput & { readonly command: Command };
}

interface Printed {
  readonly count: number;
}

/** Prints items as they come, and returns how many there were. */
async function printAll(
  ctx: Context,
  { format, sink, writer, items, tty, counts, typed }: Printing,
): Promise<Printed> {
  // Fields, a program and a template may leave out the ID or the reason of a failure.
  const isWhole = WHOLE.includes(format) && (ctx.globals.json ?? '*') === '*';
  let raw: CsvRecords | undefined;
  let done = 0;
  let failed = 0;
  try {
    for await (const item of items) {
      if (item instanceof Failure) failed += 1;
      else done += 1;
      // One line at a time: a bar that is drawn would end up in the middle of the output.
      if (tty) ctx.progress.clear();
      const records = item instanceof RawText ? (raw ??= new CsvRecords()).add(item.text) : 1;
      if (counts) ctx.progress.tick(records);
      const failure = item instanceof Failure ? item : undefined;
      if (failure && !isWhole) await reportFailure(ctx, failure, { ...typed, format });
      if (!failure || !FOR_PEOPLE.includes(format)) await sink.write(writer.item(item));
    }
  } catch (error) {
    ctx.progress.clear();
    // Closes a document that was started, so that the output can be parsed.
    if (done + failed > 0 && !(error instanceof Unread)) await sink.write(writer.end());
    throw error;
  }
  ctx.progress.clear();
  await sink.write(writer.end());
  if (failed > 0) throw partly(`${failed} of ${done + failed} failed.`);
  return { count: raw?.count ?? done };
}

function reportFailure(
  { io, style, progress, asTyped }: Context,
  failure: Failure,
  { command, args, flags, format }: Printing['typed'] & Pick<Printing, 'format'>,
): Promise<void> {
  progress.clear();
  // The error at the end is JSON, too.
  if (WHOLE.includes(format)) return writeJson(io.stderr, failure);
  const { label, error } = failure;
  // The line may name several items; this failure is about one of them.
  const names = Object.entries(command.args ?? {}).filter(([, { ids }]) => ids);
  const one = Object.fromEntries(names.map(([name]) => [name, [label]]));
  const input = { args: { ...args, ...one }, flags } as AnyInput;
  const known = { details: [], ...error };
  const { message, more } = asWorded(known, { command, ...input });
  const cure = command.cure?.({ status: null, ...known }, input);
  const said = message.startsWith(`${label} `) ? message : `${label}: ${message}`;
  const below = [...more, ...(cure === undefined ? [] : [asTyped(cure)])].map((line) => `  ${visible(line)}`);
  return io.stderr.write(`${style.red('✗')} ${[asTyped(visible(said)), ...below].join('\n')}\n`);
}

/** Prints the number of items below a list; if nothing was printed at all, says that there are none. */
async function summarize(
  ctx: Context,
  command: Command,
  { count, file, input }: Printed & { readonly file: string | undefined; readonly input: AnyInput },
): Promise<void> {
  const { list, live, say } = command;
  const [one, many] = command.view.noun;
  const counted = `${count} ${count === 1 ? one : many}`;
  if (file !== undefined) await ctx.note(`${ctx.style.green('✓')} Wrote ${counted} into ${file}`);
  else if (count === 0 && !live && !say) {
    const next = command.ifEmpty?.(input);
    await ctx.note(`No ${many}.${next === undefined ? '' : ` ${next}`}`);
  } else if (list && count > 0 && ctx.io.stdout.isTTY) await ctx.note(ctx.style.dim(counted));
}
