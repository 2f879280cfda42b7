import type { Command } from './command.ts';

/** A noun of the tree, before its commands are loaded. */
export interface NounEntry {
  readonly name: string;
  /** One line for `hubline --help`. */
  readonly summary: string;
  readonly aliases?: readonly string[];
  /** The heading under which `hubline --help` lists it. */
  readonly group: 'Core' | 'Account' | 'Server' | 'Tools';
  load(): Promise<{ readonly commands: readonly [Command, ...Command[]] }>;
}
