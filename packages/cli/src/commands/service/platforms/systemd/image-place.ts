import { readlinkSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { usageError } from '../../../../errors/errors.ts';
import { shellWord } from '../../../../terminal/shell-word.ts';

/** The number of links that Linux follows. */
const LINKS_MAX = 40;

interface PlaceOptions {
  /** True if a program that does not know the image follows the path, too, as `systemctl --root` does: no link may begin at `/`. */
  readonly byOthers?: boolean;
}

/**
 * The place of an absolute path in the image in `root`. Links are followed as in the running system: its `/` is `root`, and nothing
 * leads out of it. The path itself if `root` is empty. A missing part counts as no link. Refuses more than 40 links.
 */
export function placeIn(root: string, path: string, { byOthers = false }: PlaceOptions = {}): string {
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

/** The same without following the last part, which may be a link itself. */
export const entryIn = (root: string, path: string, options?: PlaceOptions): string =>
  join(placeIn(root, dirname(path), options), basename(path));

const leading = (root: string, { link, target }: { link: string; target: string }): Error =>
  usageError(
    `${link} is a link to ${target}, through which systemctl would leave the image in ${root}.`,
    `Replace it with a relative link or the directory itself. To remove it: sudo rm ${shellWord(link)}`,
  );

/** The target of a link; `null` for a path that is not a link. */
function targetOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
