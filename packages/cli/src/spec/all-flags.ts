import type { Command } from './command.ts';
import type { FlagTable } from './flag.ts';
import { GLOBAL_FLAGS } from './global-flags.ts';

/** Every flag that a command takes. */
export function allFlags(command: Pick<Command, 'flags'>): FlagTable {
  return { ...command.flags, ...GLOBAL_FLAGS };
}
