import type { Context } from '../context.ts';
import { cancelled, type CommandError, usageError } from '../errors/errors.ts';
import type { AnyInput, Command } from '../spec/command.ts';
import { camelCase, isGiven, type ValueFlag } from '../spec/flag.ts';
import { parseValue } from '../spec/parse-value.ts';
import { refuseMovingTime } from './moving-time.ts';
import type { Parsed } from './parse.ts';

/** Completes a parsed command line: IDs from stdin, missing flags, the confirmation. `null` if stdin has no IDs: there is nothing to do. */
export async function completeInput(
  ctx: Context,
  { command, args, flags }: Parsed,
): Promise<AnyInput | null> {
  refuseMissing(ctx, command, flags);
  refuseUnconfirmed(ctx, { command, args, flags });
  refuseRehearsal(ctx, command);
  const asked = await askMissing(ctx, command, flags);
  const ids = await readIds(ctx, command, args);
  if (ids === null) return null;
  const input = { args: ids, flags: asked } as AnyInput;
  await confirm(ctx, command, input);
  return input;
}

/** Refuses a line without any flag where one is needed, or without a required flag that nobody can be asked for. This comes first: a confirmation would not help. */
function refuseMissing(ctx: Context, command: Command, flags: Parsed['flags']): void {
  for (const [name, flag] of missingFlags(command, flags))
    if (!flag.prompt || !ctx.interactive)
      throw usageError(`--${name} is missing.`, `See: hubline ${command.path} --help`);
  const names = Object.keys(command.flags ?? {});
  if (command.needsFlag && !names.some((name) => isGiven(flags[camelCase(name)])))
    throw usageError(
      'There is nothing to change.',
      `Add one of: ${names.map((name) => `--${name}`).join(', ')}.`,
    );
}

function missingFlags({ flags = {} }: Command, given: Parsed['flags']): [string, ValueFlag][] {
  return Object.entries(flags).filter((entry): entry is [string, ValueFlag] => {
    const [name, flag] = entry;
    return flag.type !== 'boolean' && flag.required === true && !isGiven(given[camelCase(name)]);
  });
}

/** Refuses a missing confirmation before anything is read or asked, so that a script without the confirmation does not get half-way. */
function refuseUnconfirmed(
  ctx: Context,
  { command, args, flags }: Pick<Parsed, 'command' | 'args' | 'flags'>,
): void {
  const words = Object.values(args).flat();
  const isArgument = (flag: RegExp): boolean => words.some((word) => flag.test(word ?? ''));
  const { danger = 'none' } = command;
  if (danger === 'none' || ctx.interactive || ctx.globals.dryRun) return;
  if (danger === 'confirm' && !ctx.globals.yes) {
    throw usageError(
      `hubline ${command.path} needs confirmation.`,
      isArgument(/^(?:--yes|-y)$/) ? 'Put --yes before --: what follows that is an argument.' : 'Add --yes.',
    );
  }
  if (danger === 'type-name' && flags['confirm'] === undefined) {
    throw usageError(
      `hubline ${command.path} needs confirmation.`,
      `Add --confirm, as hubline ${command.path} --help says.`,
    );
  }
}

function refuseRehearsal({ globals }: Context, { path, noDryRun }: Command): void {
  if (globals.dryRun && noDryRun !== undefined) {
    throw usageError(`hubline ${path} has no dry run.`, noDryRun);
  }
}

async function askMissing(ctx: Context, command: Command, flags: Parsed['flags']): Promise<Parsed['flags']> {
  const complete = { ...flags };
  for (const [name, flag] of missingFlags(command, flags)) {
    const answer = await ask(ctx, command, [name, flag]);
    complete[camelCase(name)] = flag.repeatable ? [answer] : answer;
  }
  return complete;
}

/** Asks for the value of a flag, under the same rules as on the command line. */
async function ask(
  ctx: Context,
  command: Command,
  [name, flag]: [string, ValueFlag],
): Promise<string | number> {
  const { prompt = name, choices } = flag;
  const prompter = await ctx.prompt(`--${name}`);
  const parsed = (text: string): string | number => {
    refuseMovingTime(command, ctx.globals, { name, text });
    return parseValue(name, flag, { text, now: ctx.now() });
  };
  if (choices) return parsed(await prompter.choose(prompt, choices));
  const check = (text: string): string | true => {
    if (text === '') return 'Enter a value.';
    try {
      parsed(text);
      return true;
    } catch (error) {
      const { message, hint } = error as CommandError;
      return hint === undefined ? message : `${message} ${hint}`;
    }
  };
  return parsed(await prompter.text(prompt, check));
}

/** `-` in the place of an ID stands for all IDs on stdin, one per line. Text after a tab is a secret that `-q` printed, and is left out. */
async function readIds(ctx: Context, command: Command, args: Parsed['args']): Promise<Parsed['args'] | null> {
  const entries = Object.entries(command.args ?? {});
  const complete = { ...args };
  for (const [name, { ids }] of entries) {
    const value = complete[name];
    if (!ids || !Array.isArray(value) || !value.includes('-')) continue;
    const lines = (await ctx.io.stdin.bytes())
      .toString('utf8')
      .split('\n')
      .map((line) => line.split('\t', 1)[0]?.trim() ?? '');
    const read = lines.filter(Boolean);
    const all = value.flatMap((id) => (id === '-' ? read : [id]));
    if (all.length === 0) {
      await ctx.note(`There is no ${name} on stdin, and nothing to do.`);
      return null;
    }
    complete[name] = all;
  }
  return complete;
}

async function confirm(ctx: Context, command: Command, input: AnyInput): Promise<void> {
  if (command.danger !== 'confirm' || ctx.globals.yes || ctx.globals.dryRun) return;
  const question = command.question?.(input) ?? `Run hubline ${command.path}?`;
  const confirmed = await (await ctx.prompt('--yes')).confirm(question);
  if (!confirmed) throw cancelled();
}
