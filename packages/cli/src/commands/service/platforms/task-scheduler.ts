import type { CommandLine, ServiceOptions, ServicePlan } from '../service-plan.ts';
import { xmlText } from './xml-text.ts';

const TASK = 'Hubline';
const DATA = String.raw`C:\ProgramData\Hubline`;
const FILE = String.raw`${DATA}\service.xml`;
const LOG = String.raw`${DATA}\hubline.log`;
/** In the data directory, whose permissions it gets. */
export const WINDOWS_BACKUPS = String.raw`${DATA}\scheduled-backups`;
/** The user "LOCAL SERVICE", who has few rights and no password; and the group of administrators. */
const [LOCAL_SERVICE, ADMINISTRATORS] = ['S-1-5-19', 'S-1-5-32-544'];

/** Made by cmd, because there is no program for that; an existing one stays. */
const MAKE_BACKUPS: CommandLine = [
  'cmd',
  '/d',
  '/c',
  `if not exist ${WINDOWS_BACKUPS} mkdir ${WINDOWS_BACKUPS}`,
];

/** `schtasks /Query` also succeeds for a task that does not run, and translates its state. A task that is due has the state "Queued". */
const STATUS = [
  `$ErrorActionPreference = 'Stop'`,
  `$task = Get-ScheduledTask -TaskName '${TASK}'`,
  'Get-ScheduledTaskInfo -InputObject $task | Format-List',
  `'State : ' + $task.State`,
  `if ($task.State -in 'Ready', 'Disabled') { exit 1 }`,
].join('; ');

/** A task that Windows starts with the machine, because a Node program cannot be a Windows service. */
export function taskScheduler({ program, settings }: ServiceOptions): ServicePlan {
  const words = [...program, 'server', 'start', '--data', DATA, '--log-format', 'json'].map(
    (word) => `"${word}"`,
  );
  const variables = Object.entries(settings).map(([name, value]) => `set "${name}=${value}"&& `);
  // cmd removes the outer quotes.
  const line = `/d /s /c "${variables.join('')}${words.join(' ')} >> "${LOG}" 2>&1"`;
  return {
    data: DATA,
    files: [{ path: FILE, text: taskOf(line), mode: 0o600 }],
    install: [
      [
        'icacls',
        DATA,
        '/inheritance:r',
        '/grant',
        `*${LOCAL_SERVICE}:(OI)(CI)F`,
        `*${ADMINISTRATORS}:(OI)(CI)F`,
      ],
      ...(settings['HUBLINE_BACKUP_TO'] === WINDOWS_BACKUPS ? [MAKE_BACKUPS] : []),
      ['schtasks', '/Create', '/F', '/TN', TASK, '/XML', FILE],
      ['schtasks', '/Run', '/TN', TASK],
    ],
    installInImage: [],
    status: powershell(STATUS),
    logs: ({ follow }) => powershell(`Get-Content -Tail 200 ${follow ? '-Wait ' : ''}-Path '${LOG}'`),
    uninstall: [
      ['schtasks', '/End', '/TN', TASK],
      ['schtasks', '/Delete', '/F', '/TN', TASK],
    ],
    forget: [],
  };
}

const powershell = (script: string): CommandLine => ['powershell', '-NoProfile', '-Command', script];

const taskOf = (line: string): string => `<?xml version="1.0"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <Triggers><BootTrigger><Enabled>true</Enabled></BootTrigger></Triggers>
  <Principals><Principal id="Author"><UserId>${LOCAL_SERVICE}</UserId></Principal></Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure><Interval>PT1M</Interval><Count>999</Count></RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec><Command>cmd.exe</Command><Arguments>${xmlText(line)}</Arguments></Exec>
  </Actions>
</Task>
`;
