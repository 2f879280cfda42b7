import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandLine, ServiceOptions, ServicePlan } from '../../service-plan.ts';
import { shellWord } from '../../../../terminal/shell-word.ts';
import { placeIn } from './image-place.ts';
import { USER, USER_LINE, userIn } from './service-user.ts';
import {
  foreignBackups,
  quoted,
  SETTINGS,
  settingsIn,
  settingsText,
  UNIT,
  UNIT_FILE,
  WANTS,
} from './systemd-settings.ts';

const DATA = '/var/lib/hubline';

/** A service of systemd. Its user is made by systemd, and may write only to its own two directories, and to one for backups elsewhere. */
export function systemd({ program, settings, root }: ServiceOptions): ServicePlan {
  const backups = foreignBackups(settings);
  return {
    data: DATA,
    ...(root === '' && { manager: '/run/systemd/system' }),
    links: WANTS,
    ...(backups !== undefined && !belongsTo(backups, root) && { advice: ownershipOf(backups, root) }),
    files: [
      { path: UNIT_FILE, text: unitOf(program, backups), mode: 0o644 },
      { path: SETTINGS, text: settingsText(settings), mode: 0o600, keep: true },
    ],
    install: [
      ['systemctl', 'daemon-reload'],
      // The temporary user of a running unit would hide that there is no permanent one.
      ...(backups === undefined ? [] : [['systemctl', 'stop', UNIT] as const, userOf(root)]),
      ['systemctl', 'enable', UNIT],
      ['systemctl', 'restart', UNIT],
    ],
    installInImage: [
      ...(backups === undefined ? [] : [userOf(root)]),
      ['systemctl', `--root=${root}`, 'enable', UNIT],
    ],
    status: ['systemctl', 'status', '--no-pager', '--lines=5', UNIT],
    logs: ({ follow }) => [
      'journalctl',
      `--unit=${UNIT}`,
      '--output=cat',
      '--no-pager',
      '--lines=200',
      ...(follow ? ['--follow'] : []),
    ],
    uninstall:
      root === ''
        ? [['systemctl', 'disable', '--now', UNIT]]
        : [['systemctl', `--root=${root}`, 'disable', UNIT]],
    forget: root === '' ? [['systemctl', 'daemon-reload']] : [],
  };
}

/** Makes a permanent user, so that a directory can belong to it; an existing one stays. */
const userOf = (root: string): CommandLine => [
  'systemd-sysusers',
  ...(root === '' ? [] : [`--root=${root}`]),
  '--inline',
  USER_LINE,
];

/** Reports whether a directory already belongs to the user. */
function belongsTo(directory: string, root: string): boolean {
  const { uid } = userIn(root);
  return uid !== null && statSync(placeIn(root, directory), { throwIfNoEntry: false })?.uid === uid;
}

/** The contents of a directory that is only for backups: the backups, and the folder of a new disk. */
const OF_BACKUPS = /^(?:hubline-|lost\+found$)/;

/** The advice about a directory. One with other files keeps its owner: only one for backups alone gets another owner. */
function ownershipOf(directory: string, root: string): string {
  const sudo = root === '' ? 'sudo' : `sudo chroot ${shellWord(root)}`;
  const makes = (path: string): string => `${sudo} install -d -m 0700 -o ${USER} ${shellWord(path)}`;
  const names = namesIn(placeIn(root, directory));
  if (names === null)
    return `Backups fail until ${directory} is there and belongs to the user of the service: ${makes(directory)}`;
  if (names.every((name) => OF_BACKUPS.test(name)))
    return `Backups fail until ${directory} belongs to the user of the service: ${sudo} chown ${USER}: ${shellWord(directory)}`;
  const own = join(directory, 'hubline');
  return (
    `Backups fail unless the user of the service, ${USER}, may write to ${directory}, which also holds other files. ` +
    `Create a directory only for backups, and set HUBLINE_BACKUP_TO to it in ${settingsIn(root)}: ${makes(own)}`
  );
}

/** The names in a directory; `null` if it does not exist. */
function namesIn(directory: string): string[] | null {
  try {
    return readdirSync(directory);
  } catch {
    return null;
  }
}

/** Lets the service write into a directory. A missing one does not keep the server from starting. */
function writable(directory: string | undefined): string {
  if (directory === undefined) return '';
  const path = `-${directory.replaceAll('%', '%%')}`;
  return `ReadWritePaths=${/[\s"'\\]/.test(path) ? quoted(path) : path}\n`;
}

/** A word of a command line; `%` begins a specifier, and `$` a variable. */
const word = (text: string): string => {
  const escaped = text.replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /[\s"'\\]/.test(escaped) ? quoted(escaped) : escaped;
};

const unitOf = (program: ServiceOptions['program'], backups: string | undefined): string => `[Unit]
Description=Hubline
After=network-online.target postgresql.service
Wants=network-online.target
# The cause of a failure may last, such as a database that starts late: systemd never gives up.
StartLimitIntervalSec=0

[Service]
Type=exec
DynamicUser=yes
# The second directory is for backups. Mount another disk there.
StateDirectory=hubline hubline-backups
StateDirectoryMode=0700
UMask=0077
EnvironmentFile=-${SETTINGS}
ExecStart=${program.map(word).join(' ')} server start --data ${DATA} --log-format json
Restart=always
RestartSec=1
# The server finishes the calls that it has begun, for at most 30 s.
TimeoutStopSec=40
LimitNOFILE=65536

# The only privilege is to listen on ports below 1024.
AmbientCapabilities=CAP_NET_BIND_SERVICE
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
NoNewPrivileges=yes
LockPersonality=yes
PrivateDevices=yes
PrivateTmp=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProtectSystem=strict
${writable(backups)}RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallErrorNumber=EPERM
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources

[Install]
WantedBy=multi-user.target
`;
