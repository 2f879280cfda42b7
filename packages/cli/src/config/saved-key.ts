import type { Context } from '../context.ts';
import { CommandError } from '../errors/errors.ts';
import { shellWord } from '../terminal/shell-word.ts';
import { originOf } from './base-url.ts';
import { configFile, type SavedContext } from './config-file.ts';
import { KEY_PREFIX_LENGTH } from './connections.ts';

/** The saved form of a key: the key itself, or a note that the keychain has it. */
type SavedKey = Pick<SavedContext, 'api_key' | 'key_in' | 'key_prefix'>;

/** A key that was kept. */
interface KeptKey {
  /** The part of a context that holds it. */
  readonly saved: SavedKey;
  /** Warns if the key is in the configuration because the keychain cannot be used. Call it once the key is saved. */
  warn(): Promise<void>;
}

/**
 * The name of an entry includes the server: a changed URL in the configuration finds no key. It also includes the directory, which
 * separates configurations that use the same names.
 */
const accountOf = (
  ctx: Pick<Context, 'configDirectory'>,
  name: string,
  { base_url }: Pick<SavedContext, 'base_url'>,
): string => `${name} at ${originOf(base_url)} (${ctx.configDirectory()})`;

/** Keeps a key: in the keychain of the system if there is one, else in the configuration, which only its owner can read. */
export async function saveKey(
  ctx: Context,
  name: string,
  { base_url, key }: { base_url: string; key: string },
): Promise<KeptKey> {
  const keychain = await ctx.keychain();
  const silent = async (): Promise<void> => undefined;
  if (!keychain) return { saved: { api_key: key }, warn: silent };
  try {
    await keychain.set(accountOf(ctx, name, { base_url }), key);
    return { saved: { key_in: 'keychain', key_prefix: key.slice(0, KEY_PREFIX_LENGTH) }, warn: silent };
  } catch (error) {
    const reason = ctx.globals.verbose ? ` (${reasonOf(error)})` : '';
    const warn = (): Promise<void> =>
      ctx.note(
        `The system keychain cannot be used${reason}: the key is in ${configFile(ctx.configDirectory())}, which only you can read.`,
      );
    return { saved: { api_key: key }, warn };
  }
}

/** The key of a saved connection. */
export async function loadKey(
  ctx: Pick<Context, 'keychain' | 'configDirectory'>,
  name: string,
  saved: SavedContext,
): Promise<string | undefined> {
  if (saved.key_in !== 'keychain') return saved.api_key;
  const again = `Log in again: hubline auth login --context ${shellWord(name)}`;
  const keychain = await ctx.keychain();
  if (!keychain)
    throw new CommandError(
      'denied',
      `The key of "${name}" is in the system keychain, which is off or not available.`,
      again,
    );
  try {
    return (await keychain.get(accountOf(ctx, name, saved))) ?? undefined;
  } catch (error) {
    throw new CommandError('denied', `The system keychain cannot be read: ${reasonOf(error)}.`, again);
  }
}

/** Removes a key from the keychain, if it is there. */
export async function forgetKey(ctx: Context, name: string, saved: SavedContext): Promise<void> {
  if (saved.key_in !== 'keychain') return;
  const keychain = await ctx.keychain();
  await keychain?.remove(accountOf(ctx, name, saved)).catch(async (error: unknown) => {
    await ctx.warn(`The key is still in the system keychain: ${reasonOf(error)}.`);
  });
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
