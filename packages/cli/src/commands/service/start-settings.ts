import type { ServerConfig } from '@hubline/server';
import type { Context } from '../../context.ts';
import { CommandError, usageError } from '../../errors/errors.ts';
import { camelCase } from '../../spec/flag.ts';
import { given, SERVER_FLAGS } from '../server/flags.ts';
import { requireAddress } from '../server/start/require-address.ts';
import { withDailyBackups } from './plan.ts';
import { ignoredLines, readEnvironmentFile } from './platforms/systemd/environment-file.ts';
import { placeIn } from './platforms/systemd/image-place.ts';
import { installCommand, keptText, settingsIn } from './platforms/systemd/systemd-settings.ts';
import { visiblePaths } from './visible-paths.ts';

const { data: _data, 'log-format': _format, ...SETTING_FLAGS } = SERVER_FLAGS;
export { SETTING_FLAGS };

type Flags = Readonly<Record<string, string | boolean | undefined>>;

interface Start {
  /** The directory that every path begins with; empty for the running system. */
  readonly root: string;
  /** The data directory of the service. */
  readonly data: string;
}

/** The settings with which the service will start. */
interface StartSettings {
  /** By the names of their variables, with absolute paths. */
  readonly settings: Readonly<Record<string, string>>;
  /** True if the settings come from flags, and not from those that the service has already. */
  readonly fromFlags: boolean;
  readonly config: ServerConfig;
}

// The number of ignored lines to show: more would not help if the file is of another kind.
const LINES_SHOWN = 3;

/** Finds the settings with which the service will start, and refuses those that its start would refuse. */
export async function startSettings(
  ctx: Context,
  flags: Flags,
  { root, data }: Start,
): Promise<StartSettings> {
  const asked = settingsOf(flags);
  const existing = keptText(root);
  const text = Object.keys(asked).length === 0 ? existing : null;
  const kept = text === null ? null : readEnvironmentFile(text);
  if (text !== null) await warnOfMistakes(ctx, { text, file: settingsIn(root) });
  const env = kept ?? withDailyBackups(process.platform, asked);
  try {
    const { isUnfitForBackups, parseStartConfig } = await import('@hubline/server');
    const config = parseStartConfig({ ...(kept === null && given(flags)), data }, { ...env });
    const absolute = kept === null ? ctx.absolute : null;
    const settings = visiblePaths(kept ?? asked, { root, absolute, isUnfitForBackups });
    // An image has other addresses when it runs.
    if (root === '') await requireAddress(config);
    await checkCertificate(ctx, { root, config, settings });
    return { settings, fromFlags: kept === null && Object.keys(asked).length > 0, config };
  } catch (error) {
    throw kept === null ? withKeysInFile(error, { asked, root }) : inSettingsFile(error, root);
  }
}

/** Warns of mistakes in the file that do not keep a server from starting, but leave a setting without effect. */
async function warnOfMistakes(ctx: Context, { text, file }: { text: string; file: string }): Promise<void> {
  const { providers, unknownVariables } = await import('@hubline/server');
  const ignored = ignoredLines(text);
  for (const line of ignored.slice(0, LINES_SHOWN))
    await ctx.warn(`systemd ignores the line "${line}" of ${file}. Write NAME=value, without export.`);
  if (ignored.length > LINES_SHOWN)
    await ctx.warn(`systemd ignores ${ignored.length - LINES_SHOWN} more lines of ${file}.`);
  for (const name of unknownVariables(readEnvironmentFile(text), providers))
    await ctx.warn(
      `${name} in ${file} is not a server setting. Check its spelling: hubline help environment`,
    );
}

async function checkCertificate(
  ctx: Context,
  { root, config, settings }: { root: string; config: ServerConfig; settings: StartSettings['settings'] },
): Promise<void> {
  const { tlsWarnings } = await import('@hubline/server');
  const { HUBLINE_TLS_CERT: cert, HUBLINE_TLS_KEY: key } = settings;
  // An empty variable counts as unset.
  const files = cert && key ? { tlsCert: placeIn(root, cert), tlsKey: placeIn(root, key) } : {};
  for (const warning of tlsWarnings({ ...config, ...files }, new Date(ctx.now()))) await ctx.warn(warning);
}

/** The flags of the server that were given, by the names of their variables. */
function settingsOf(flags: Flags): Record<string, string> {
  const values = given(flags);
  return Object.fromEntries(
    Object.keys(SETTING_FLAGS).flatMap((name) => {
      const value = values[camelCase(name)];
      return value === undefined
        ? []
        : [[`HUBLINE_${name.replaceAll('-', '_').toUpperCase()}`, String(value)]];
    }),
  );
}

/** Adds the name of the file to an error about the settings of the service. */
function inSettingsFile(error: unknown, root: string): unknown {
  if (!isRefusal(error)) return error;
  const cure = error instanceof CommandError ? error.hint : undefined;
  return usageError(
    `With ${settingsIn(root)} the service would not start: ${error.message}`,
    // A command on its own line can be copied.
    `${cure ?? 'Change it there.'}\nThen run ${installCommand(root)} again.`,
  );
}

/** Adds a cure to an error about the keys of S3, which no flag takes. */
function withKeysInFile(
  error: unknown,
  { asked, root }: { asked: Readonly<Record<string, string>>; root: string },
): unknown {
  const { HUBLINE_BACKUP_TO: place = '' } = asked;
  if (!isRefusal(error) || !place.startsWith('s3://') || process.platform !== 'linux') return error;
  return usageError(
    error.message,
    `A service reads these variables from ${settingsIn(root)}, and no flag writes them. Put all settings there, including HUBLINE_BACKUP_EVERY and HUBLINE_BACKUP_TO, and run ${installCommand(root)} without flags.`,
  );
}

const isRefusal = (error: unknown): error is Error =>
  error instanceof CommandError || (error instanceof Error && error.name === 'ConfigError');
