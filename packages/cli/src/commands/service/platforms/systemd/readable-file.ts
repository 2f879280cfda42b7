import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { usageError } from '../../../../errors/errors.ts';
import { shellWord } from '../../../../terminal/shell-word.ts';
import { type Obstacle, obstacleTo, describeObstacle, USER, USER_LINE, userIn } from './service-user.ts';
import { UNIT_FILE } from './systemd-settings.ts';

const OWN = '/etc/hubline';
const GROUP_OF_ROOT = 0;
const GROUP_BITS = 0o070;

/** Refuses a file that the user of the service may not read, such as a key of root. Only systemd gives the service its own user. */
export function requireReadable(file: string, { root, name }: { root: string; name: string }): void {
  if (process.platform !== 'linux') return;
  const obstacle = obstacleTo(file, { root, need: 'read' });
  if (obstacle === null) return;
  const lines = [...makeUser(root), ...opened(file, { root, obstacle })].map((line) => `sudo ${line}`);
  const then = isCopied(obstacle)
    ? `, and name ${copyOf(file)} with ${name}. A renewed one has to be copied again.`
    : '';
  throw usageError(
    `${name} ${file} cannot be read by the user of the service, ${USER}: ${describeObstacle(obstacle)}.`,
    `Type: ${lines.join(' && ')}${then}`,
  );
}

/** Makes a permanent user, so that a file can belong to it. The temporary user of a running unit would hide that there is none. */
function makeUser(root: string): string[] {
  if (userIn(root).uid !== null) return [];
  const image = root === '' ? '' : `--root=${shellWord(root)} `;
  return [
    ...(root === '' && existsSync(UNIT_FILE) ? ['systemctl stop hubline'] : []),
    `systemd-sysusers ${image}--inline '${USER_LINE}'`,
  ];
}

/** Reports whether the service gets a copy: closed directories stay closed, and others may need the group of a file. */
const isCopied = ({ found }: Obstacle): boolean =>
  found.isDirectory() || (found.gid !== GROUP_OF_ROOT && (found.mode & GROUP_BITS) !== 0);

const copyOf = (file: string): string => join(OWN, basename(file));

function opened(file: string, { root, obstacle }: { root: string; obstacle: Obstacle }): string[] {
  const lines = isCopied(obstacle)
    ? [
        `install -d -m 0755 ${OWN}`,
        `install -m 0640 -g ${USER} ${shellWord(file)} ${shellWord(copyOf(file))}`,
      ]
    : [`chgrp ${USER} ${shellWord(file)}`, `chmod 0640 ${shellWord(file)}`];
  return root === '' ? lines : lines.map((line) => `chroot ${shellWord(root)} ${line}`);
}
