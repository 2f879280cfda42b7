import type { ServerCommandLine, ServerConfig } from '@hubline/server';
import type { Context } from '../../../context.ts';
import { shellWord } from '../../../terminal/shell-word.ts';
import { camelCase } from '../../../spec/flag.ts';
import { SERVER_FLAGS } from '../flags.ts';

type Flags = Readonly<Record<string, string | boolean | undefined>>;

const STORAGE = new Set(['data', 'database-url']);
const PATHS = new Set(['tls-cert', 'tls-key', 'backup-to']);

/** Describes how a server was started, so that its dashboard can show commands for the operator to paste. */
export function commandLineOf(
  { absolute, programAnywhere }: Pick<Context, 'absolute' | 'programAnywhere'>,
  { databaseUrl, data }: Pick<ServerConfig, 'databaseUrl' | 'data'>,
  flags: Flags,
): ServerCommandLine {
  const path = (given: string): string => (given.includes('://') ? given : absolute(given));
  const words = Object.keys(SERVER_FLAGS).flatMap((name) => {
    const value = flags[camelCase(name)];
    if (STORAGE.has(name) || value === undefined || value === false) return [];
    if (value === true) return [`--${name}`];
    return [`--${name}`, shellWord(PATHS.has(name) ? path(value) : value)];
  });
  return {
    program: programAnywhere,
    // The URL of a database may hold its password, so it is not passed on.
    data: databaseUrl === undefined ? path(data) : null,
    flags: words.join(' '),
  };
}
