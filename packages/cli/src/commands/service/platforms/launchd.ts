import type { CommandLine, ServiceOptions, ServicePlan } from '../service-plan.ts';
import { xmlText } from './xml-text.ts';

const LABEL = 'dev.hubline.server';
const PLIST = `/Library/LaunchDaemons/${LABEL}.plist`;
const DATA = '/usr/local/var/hubline';
export const MACOS_BACKUPS = '/usr/local/var/hubline-backups';
const LOG = '/usr/local/var/log/hubline.log';

const EXIT_TIMEOUT_S = 40;

/**
 * Ends a running daemon, which would keep its old settings, and starts the new one. `bootout` may return while the old one still
 * finishes its work, and until then launchd refuses another of that label: "Bootstrap failed: 5: Input/output error".
 */
const RESTART = `launchctl bootout system/${LABEL} 2>/dev/null
left=${EXIT_TIMEOUT_S + 10}
while [ $left -gt 0 ] && launchctl print system/${LABEL} >/dev/null 2>&1; do sleep 1; left=$((left - 1)); done
launchctl bootstrap system ${PLIST}`;

/** A daemon of launchd, which runs as the user who installs it: macOS makes no users for services. */
export function launchd({ program, settings, user }: ServiceOptions): ServicePlan {
  const line = [...program, 'server', 'start', '--data', DATA, '--log-format', 'json'];
  return {
    data: DATA,
    // The file may hold the password of a database.
    files: [{ path: PLIST, text: plistOf(line, { settings, user }), mode: 0o600 }],
    install: [
      ...[DATA, ...ownBackups(settings)].map((directory) => makeFor(user, directory)),
      ['install', '-d', '-m', '0755', '/usr/local/var/log'],
      ['touch', LOG],
      ['chown', user, LOG],
      ['sh', '-c', RESTART],
    ],
    installInImage: [],
    status: ['launchctl', 'print', `system/${LABEL}`],
    hasEnded: (report) => /last (?:exit code|terminating signal) = (?!\(never exited\))/.test(report),
    logs: ({ follow }) => ['tail', '-n', '200', ...(follow ? ['-F'] : []), LOG],
    uninstall: [['launchctl', 'bootout', `system/${LABEL}`]],
    forget: [],
  };
}

const makeFor = (user: string, directory: string): CommandLine => [
  'install',
  '-d',
  '-m',
  '0700',
  '-o',
  user,
  directory,
];

/** The service's own directory for backups, unless the operator has named another. */
const ownBackups = ({ HUBLINE_BACKUP_TO: place }: ServiceOptions['settings']): string[] =>
  place === MACOS_BACKUPS ? [place] : [];

function plistOf(
  line: readonly string[],
  { settings, user }: Pick<ServiceOptions, 'settings' | 'user'>,
): string {
  const string = (text: string): string => `<string>${xmlText(text)}</string>`;
  const words = line.map((each) => `    ${string(each)}`);
  const variables = Object.entries(settings).map(
    ([name, value]) => `    <key>${xmlText(name)}</key>${string(value)}`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>${string(LABEL)}
  <key>UserName</key>${string(user)}
  <key>ProgramArguments</key>
  <array>
${words.join('\n')}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables.join('\n')}
  </dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><true/>
  <key>ExitTimeOut</key><integer>${EXIT_TIMEOUT_S}</integer>
  <key>Umask</key><integer>63</integer>
  <key>StandardOutPath</key>${string(LOG)}
  <key>StandardErrorPath</key>${string(LOG)}
</dict>
</plist>
`;
}
