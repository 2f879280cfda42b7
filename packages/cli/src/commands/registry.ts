import type { NounEntry } from '../spec/command.ts';

/** Every noun. Its commands load only when it is named, so that no command pays for others. */
export const nouns: readonly NounEntry[] = [
  {
    name: 'workspace',
    aliases: ['workspaces', 'ws'],
    group: 'Core',
    summary: 'Workspaces: the containers of everything else',
    load: () => import('./workspace/noun.ts'),
  },
  {
    name: 'member',
    aliases: ['members'],
    group: 'Core',
    summary: 'Members of a workspace, their roles, and invitations',
    load: () => import('./member/noun.ts'),
  },
  {
    name: 'provider',
    aliases: ['providers'],
    group: 'Core',
    summary: 'External tools that can be connected',
    load: () => import('./provider/noun.ts'),
  },
  {
    name: 'integration',
    aliases: ['integrations'],
    group: 'Core',
    summary: 'External tools that are connected',
    load: () => import('./integration/noun.ts'),
  },
  {
    name: 'event',
    aliases: ['events'],
    group: 'Core',
    summary: 'Events: list, follow, publish',
    load: () => import('./event/noun.ts'),
  },
  {
    name: 'automation',
    aliases: ['automations'],
    group: 'Core',
    summary: 'Automations: actions that events start, and their runs',
    load: () => import('./automation/noun.ts'),
  },
  {
    name: 'webhook',
    aliases: ['webhooks'],
    group: 'Core',
    summary: 'Webhooks: URLs that receive signed calls',
    load: () => import('./webhook/noun.ts'),
  },
  {
    name: 'delivery',
    aliases: ['deliveries'],
    group: 'Core',
    summary: 'Deliveries to webhooks: status, attempts, retries',
    load: () => import('./delivery/noun.ts'),
  },
  {
    name: 'recovery',
    aliases: ['recoveries'],
    group: 'Core',
    summary: 'Recoveries: jobs that send deliveries again',
    load: () => import('./recovery/get.ts'),
  },
  {
    name: 'rule',
    aliases: ['rules'],
    group: 'Core',
    summary: 'Notification rules: who is notified of what, and what was sent',
    load: () => import('./rule/noun.ts'),
  },
  {
    name: 'template',
    aliases: ['templates'],
    group: 'Core',
    summary: 'Notification templates, written in Liquid',
    load: () => import('./template/noun.ts'),
  },
  {
    name: 'notification',
    aliases: ['notifications'],
    group: 'Core',
    summary: 'Your in-app notifications',
    load: () => import('./notification/noun.ts'),
  },
  {
    name: 'key',
    aliases: ['keys'],
    group: 'Core',
    summary: 'API keys',
    load: () => import('./key/noun.ts'),
  },
  {
    name: 'audit',
    group: 'Core',
    summary: 'The audit log: who changed what',
    load: () => import('./audit/noun.ts'),
  },
  {
    name: 'auth',
    group: 'Account',
    summary: 'Log in and out',
    load: () => import('./auth/noun.ts'),
  },
  {
    name: 'whoami',
    group: 'Account',
    summary: 'The current user, key and workspaces',
    load: () => import('./whoami/whoami.ts'),
  },
  {
    name: 'invitation',
    aliases: ['invitations'],
    group: 'Account',
    summary: 'Accept an invitation',
    load: () => import('./invitation/accept.ts'),
  },
  {
    name: 'context',
    aliases: ['contexts'],
    group: 'Account',
    summary: 'Saved servers, keys and default workspaces',
    load: () => import('./context/noun.ts'),
  },
  {
    name: 'config',
    group: 'Account',
    summary: 'Settings in use, and where they come from',
    load: () => import('./config/noun.ts'),
  },
  {
    name: 'server',
    group: 'Server',
    summary: 'Run your own server',
    load: () => import('./server/noun.ts'),
  },
  {
    name: 'service',
    group: 'Server',
    summary: 'Run your own server as a service on this machine',
    load: () => import('./service/noun.ts'),
  },
  {
    name: 'backup',
    aliases: ['backups'],
    group: 'Server',
    summary: 'Back up and restore your own server',
    load: () => import('./backup/noun.ts'),
  },
  {
    name: 'seed',
    group: 'Server',
    summary: 'Fill a server to try things out',
    load: () => import('./seed/seed.ts'),
  },
  {
    name: 'listen',
    group: 'Tools',
    summary: 'Forward events to this machine',
    load: () => import('./listen/listen.ts'),
  },
  {
    name: 'replay',
    group: 'Tools',
    summary: 'Send recorded deliveries again',
    load: () => import('./replay/replay.ts'),
  },
  {
    name: 'trigger',
    group: 'Tools',
    summary: 'Publish sample events with real payloads',
    load: () => import('./trigger/trigger.ts'),
  },
  {
    name: 'wait',
    group: 'Tools',
    summary: 'Wait for a status',
    load: () => import('./wait/wait.ts'),
  },
  {
    name: 'open',
    group: 'Tools',
    summary: 'Open the dashboard',
    load: () => import('./open/open.ts'),
  },
  {
    name: 'signature',
    aliases: ['signatures'],
    group: 'Tools',
    summary: 'Sign bodies and verify signatures',
    load: () => import('./signature/noun.ts'),
  },
  {
    name: 'api',
    group: 'Tools',
    summary: 'Any request to the API',
    load: () => import('./api/api.ts'),
  },
  {
    name: 'doctor',
    group: 'Tools',
    summary: 'Diagnose problems',
    load: () => import('./doctor/doctor.ts'),
  },
  {
    name: 'completion',
    group: 'Tools',
    summary: 'Completion for bash, zsh, fish and PowerShell',
    load: () => import('./completion/noun.ts'),
  },
  {
    name: 'commands',
    group: 'Tools',
    summary: 'List every command, for tools',
    load: async () => {
      const { commandsOf } = await import('./commands/commands.ts');
      return { commands: commandsOf(nouns) };
    },
  },
  {
    name: 'upgrade',
    group: 'Tools',
    summary: 'Replace this program with a newer version',
    load: () => import('./upgrade/upgrade.ts'),
  },
  {
    name: 'version',
    group: 'Tools',
    summary: 'Print the version',
    load: () => import('./version/version.ts'),
  },
  {
    name: 'help',
    group: 'Tools',
    summary: 'Topics, or the help of a command',
    load: async () => {
      const { commandsOf } = await import('./help/noun.ts');
      return { commands: commandsOf(nouns) };
    },
  },
];

/** Words that people try first, and the commands that they stand for. They are not nouns: `hubline --help` lists the commands. */
export const SHORTCUTS: Readonly<Record<string, readonly [noun: string, verb: string]>> = {
  login: ['auth', 'login'],
  logout: ['auth', 'logout'],
  status: ['auth', 'status'],
  logs: ['event', 'tail'],
};
