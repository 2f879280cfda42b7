import type { ServiceOptions, ServicePlan } from './service-plan.ts';

const UNIT = 'hubline.service';
const DATA = '/var/lib/hubline';
const BACKUPS = '/var/lib/hubline-backups';
const SETTINGS = '/etc/hubline/env';

/** A service of systemd: a user of its own, made by systemd, who sees nothing of the machine but two directories. */
export function systemd({ program, settings, root }: ServiceOptions): ServicePlan {
  return {
    data: DATA,
    files: [
      { path: `/etc/systemd/system/${UNIT}`, text: unitOf(program), mode: 0o644 },
      { path: SETTINGS, text: settingsText(settings), mode: 0o600, keep: true },
    ],
    install: [
      ['systemctl', 'daemon-reload'],
      ['systemctl', 'enable', UNIT],
      ['systemctl', 'restart', UNIT],
    ],
    installInImage: [['systemctl', `--root=${root}`, 'enable', UNIT]],
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

/** Backups are on unless the operator decides about storage or backups: PostgreSQL has tools of its own. */
function settingsText(settings: Readonly<Record<string, string>>): string {
  const isTheirs = Object.keys(settings).some((name) => /^HUBLINE_(?:DATABASE_URL|BACKUP_\w+)$/.test(name));
  const all = isTheirs ? settings : { ...settings, HUBLINE_BACKUP_EVERY: '24h', HUBLINE_BACKUP_TO: BACKUPS };
  const lines = Object.entries(all).map(([name, value]) => `${name}=${quoted(value)}`);
  return ['# Settings of hubline server start. After a change: systemctl restart hubline', ...lines, ''].join(
    '\n',
  );
}

const quoted = (value: string): string => `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** A word of a command line; `%` begins a specifier, and `$` a variable. */
const word = (text: string): string => {
  const escaped = text.replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /[\s"'\\]/.test(escaped) ? quoted(escaped) : escaped;
};

const unitOf = (program: ServiceOptions['program']): string => `[Unit]
Description=Hubline
After=network-online.target postgresql.service
Wants=network-online.target

[Service]
Type=exec
DynamicUser=yes
# The second one is for backups: mount another disk there.
StateDirectory=hubline hubline-backups
StateDirectoryMode=0700
UMask=0077
EnvironmentFile=-${SETTINGS}
ExecStart=${program.map(word).join(' ')} server start --data ${DATA} --log-format json
Restart=always
RestartSec=1
# It finishes the calls that it has begun, for 30 s at most.
TimeoutStopSec=40
LimitNOFILE=65536

# Ports below 1024, and no other privilege.
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
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
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
