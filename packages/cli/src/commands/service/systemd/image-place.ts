import { readlinkSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { usageError } from '../../../errors/errors.ts';
import { shellWord } from '../shell-word.ts';

/** As many as Linux follows. */
const LINKS_MAX = 40;

interface Around {
  /** A program that does not know the image goes this way too, as `systemctl --root` does: no link on it may begin at `/`. */
  readonly byOthers?: boolean;
}

/**
 * The place of an absolute path in the image in `root`, whose links are followed as in the system that runs: its `/` is `root`, and nothing
 * leads out of it. The path itself where `root` is empty. What is not there is no link. Refuses more than 40 links.
 */
export function placeIn(root: string, path: string, { byOthers = false }: Around = {}): string {
  if (root === '') return path;
  const ahead = path.split('/').toReversed();
  const passed: string[] = [];
  let [link, target, links] = ['', '', 0];
  for (let part = ahead.pop(); part !== undefined; part = ahead.pop()) {
    if (byOthers && (isAbsolute(target) || (part === '..' && passed.length === 0)))
      throw leading(root, { link, target });
    if (part === '..') passed.pop();
    if (['', '.', '..'].includes(part)) continue;
    const here = join(root, ...passed, part);
    const found = targetOf(here);
    if (found === null) {
      passed.push(part);
      continue;
    }
    [link, target] = [here, found];
    links += 1;
    if (links > LINKS_MAX)
      throw usageError(`${join(root, path)} has too many links, such as ${link} to ${target}.`, 'Remove it.');
    if (isAbsolute(target)) passed.length = 0;
    ahead.push(...target.split('/').toReversed());
  }
  return join(root, ...passed);
}

/** That place where the last part is not followed: it may be a link itself. */
export const entryIn = (root: string, path: string, around?: Around): string =>
  join(placeIn(root, dirname(path), around), basename(path));

const leading = (root: string, { link, target }: { link: string; target: string }): Error =>
  usageError(
    `${link} is a link to ${target}, through which systemctl would leave the image in ${root}.`,
    `Put a relative link or the directory itself in its place. To remove it: sudo rm ${shellWord(link)}`,
  );

/** `null` for what is not a link. */
function targetOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
