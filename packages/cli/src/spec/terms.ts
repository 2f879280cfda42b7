import type { Command } from './command.ts';
import type { Argument, Flag, FlagTable } from './flag.ts';
import { GLOBAL_FLAGS } from './global-flags.ts';

/** `hubline member invite [email...] [flags]`. */
export function usageLine({ path, args = {} }: Pick<Command, 'path' | 'args'>): string {
  const terms = Object.entries(args).map(([name, argument]) => argumentTerm(name, argument));
  return ['hubline', path, ...terms, '[flags]'].join(' ');
}

/** `<user...>`, `[workspace]`. */
export function argumentTerm(name: string, { optional, variadic }: Argument): string {
  const text = `${name}${variadic ? '...' : ''}`;
  return optional ? `[${text}]` : `<${text}>`;
}

/** `-F, --file <file|->`. */
export function flagTerm(name: string, flag: Flag): string {
  const short = flag.short ? `-${flag.short}, ` : '';
  if (name === 'json') return '--json[=fields]';
  return flag.type === 'boolean' ? `${short}--${name}` : `${short}--${name} <${flag.value}>`;
}

/** Every flag that a command takes. */
export function allFlags(command: Pick<Command, 'flags'>): FlagTable {
  return { ...command.flags, ...GLOBAL_FLAGS };
}
