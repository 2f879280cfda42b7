import { nouns } from '../commands/registry.ts';
import type { Command } from '../spec/command.ts';

/** Every command there is. */
export async function allCommands(): Promise<Command[]> {
  const loaded = await Promise.all(nouns.map((noun) => noun.load()));
  return loaded.flatMap(({ commands }) => [...commands]);
}

/** The shortest command line that the parser takes: required arguments and flags, with values that mean nothing. */
export function minimalLine({ path, args = {}, flags = {} }: Command): string[] {
  const positional = Object.entries(args)
    .filter(([, { optional }]) => !optional)
    // Nothing is written where the tests happen to run.
    .map(([name]) => (name === 'file' ? '/nonexistent/x' : 'x'));
  const required = Object.entries(flags).flatMap(([name, flag]) =>
    flag.type !== 'boolean' && flag.required
      ? [`--${name}=${flag.choices?.[0] ?? (flag.type === 'text' ? 'x' : '1h')}`]
      : [],
  );
  return [...path.split(' '), ...positional, ...required];
}
