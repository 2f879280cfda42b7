import type { Command, Danger } from './command.ts';
import type { Argument, Flag } from './flag.ts';

/** A command as `hubline commands --json` describes it. */
export interface CommandInfo {
  readonly path: string;
  readonly summary: string;
  readonly description: string | null;
  readonly aliases: readonly string[];
  readonly args: readonly ({ readonly name: string } & Argument)[];
  readonly flags: readonly ({ readonly name: string } & Flag)[];
  readonly endpoints: readonly string[];
  readonly danger: Danger;
  readonly fields: readonly string[];
  readonly examples: readonly string[];
}

const named = <Value extends object>(table: Readonly<Record<string, Value>>): ({ name: string } & Value)[] =>
  Object.entries(table).map(([name, value]) => ({ name, ...value }));

/** A command as data, without the parts that only this program needs. */
export function describeCommand(command: Command): CommandInfo {
  const {
    path,
    summary,
    description = null,
    aliases = [],
    args = {},
    endpoints = [],
    danger = 'none',
    view,
    examples,
  } = command;
  return {
    path,
    summary,
    description,
    aliases,
    args: named(args),
    flags: named(command.flags ?? {}),
    endpoints,
    danger,
    fields: view.fields,
    examples,
  };
}
