import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigError } from '../../config/config.ts';
import { refuseForeignLinks } from './foreign-links.ts';
import { makeDirectory } from './make-directory.ts';

const WRITABLE_BY_ALL = 0o002;
/** A database among the files of the system ends in a `chmod` or `chown` of the wrong directory. */
const OF_SYSTEM =
  /^\/(?:bin|boot|dev|etc|home|lib(?:32|64|x32)?|opt|proc|run|sbin|sys|usr|usr\/local|var|var\/lib|var\/log)?$/;

/**
 * Makes the data directory, readable by its owner only. One that exists keeps its mode, because others may need it. Throws `ConfigError` for
 * one of the system; for one such as `/tmp`, where everybody may write and others do: they could put a database or a key in the place of ours;
 * and, for root, for one with links of its owner.
 */
export function prepareDirectory(directory: string): void {
  makeDirectory(directory, 0o700);
  if (OF_SYSTEM.test(realpathSync(directory)))
    throw new ConfigError(
      `${resolve(directory)} is a directory of the system. Name one for Hubline alone with --data or HUBLINE_DATA, such as /var/lib/hubline.`,
    );
  refuseForeignLinks(directory);
  const self = process.getuid?.();
  if (self === undefined || (statSync(directory).mode & WRITABLE_BY_ALL) === 0) return;
  const foreign = readdirSync(directory).find((name) => {
    const owner = lstatSync(join(directory, name), { throwIfNoEntry: false })?.uid;
    return owner !== undefined && owner !== self;
  });
  if (foreign === undefined) return;
  const path = resolve(directory);
  throw new ConfigError(
    `${path} is a directory where everybody may write, and ${foreign} in it belongs to another user. Name one for Hubline alone with --data or HUBLINE_DATA, such as ${join(path, 'hubline')}.`,
  );
}
