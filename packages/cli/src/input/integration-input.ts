import { NOTIFICATION_TRIGGERS } from '@hubline/contract/constants';
import type { IntegrationConfig } from '@hubline/contract/types';
import type { Context } from '../context.ts';
import type { ErrorReport } from '../errors/describe-error.ts';
import { usageError } from '../errors/errors.ts';
import type { FlagTable, FlagValues } from '../spec/flag.ts';
import { assertOneStdin, readSecret } from './read-input.ts';

const SECRET = /token|secret|password|passphrase|private|api_?key|access_?key|(?:webhook|notify)_url|^key$/i;

/** Reports whether a credential of this name must not be on the command line. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name);
}

/** The hint for a credential or an OAuth app that the server requires. */
export function credentialCure(
  { details }: Pick<ErrorReport, 'details'>,
  { args }: { args: object },
): string | undefined {
  const provider = 'provider' in args ? String(args.provider) : '--help';
  if (details[0]?.issue?.includes('no OAuth app'))
    return `Create an OAuth app in the tool, with the redirect URL from: hubline provider apps\nThen store it with: hubline provider configure ${provider}`;
  const [, setting] = /^settings\.(\w+)$/.exec(details[0]?.field ?? '') ?? [];
  if (setting !== undefined)
    return `With --oauth, --credential takes only values that are not secret: leave out --credential ${setting}`;
  const [, name] = /^credentials\.(\w+)$/.exec(details[0]?.field ?? '') ?? [];
  if (name === undefined || details[0]?.issue !== 'is required') return undefined;
  return !isSecretName(name)
    ? `Give it with --credential ${name}=…`
    : `Give it from a file, or from stdin: --credential ${name}=@file, --credential ${name}=-`;
}

/** Parses `name=@file`, `name=-`, and `name=value` for values that are not secret, into the credentials of a request. */
export async function parseCredentials(
  ctx: Context,
  pairs: readonly string[],
): Promise<Record<string, string>> {
  const split = pairs.map((pair) => {
    const [, name, source] = /^([A-Za-z][\w-]*)=(.*)$/s.exec(pair) ?? [];
    // The wrong text may be a secret: it is not repeated.
    if (name === undefined || source === undefined) {
      throw usageError(
        '--credential takes name=@file or name=-, or name=value for what is not a secret.',
        'For example: --credential token=@github.token, or --credential repository=octo/repo',
      );
    }
    return { name, source };
  });
  const twice = split.find(({ name }, index) => split.findIndex((each) => each.name === name) !== index);
  if (twice) throw usageError(`--credential ${twice.name} is given twice.`, 'Give each credential once.');
  assertOneStdin(
    Object.fromEntries(split.map(({ name, source }) => [`--credential ${name}`, source.replace(/^@/, '')])),
  );
  const credentials: Record<string, string> = {};
  for (const { name, source } of split) {
    if (source === '-' || source.startsWith('@')) {
      credentials[name] = await readSecret(ctx, source.replace(/^@/, ''), `--credential ${name}`);
    } else if (isSecretName(name)) {
      throw usageError(
        `The value of ${name} is a secret: on the command line, ps and the shell's history would show it.`,
        `Use --credential ${name}=@file, or --credential ${name}=- to read stdin.`,
      );
    } else {
      credentials[name] = source;
    }
  }
  return credentials;
}

/** The fields that `--credential` fills. */
export const CREDENTIAL_FIELDS = { 'credentials.': '--credential ', 'settings.': '--credential ' } as const;

/** The flags that set how an integration notifies. */
export const CONFIG_FLAGS = {
  channel: { type: 'text', value: 'name', summary: 'Destination of notifications, such as #releases' },
  'notify-on': {
    type: 'text',
    value: 'trigger',
    choices: NOTIFICATION_TRIGGERS,
    repeatable: true,
    summary: 'Trigger to notify on',
  },
  severity: {
    type: 'text',
    value: 'level',
    repeatable: true,
    summary: 'Severity of events to notify on, such as high (default: all)',
  },
} as const satisfies FlagTable;

/** The fields that these flags fill. */
export const CONFIG_FIELDS = {
  'config.channel': '--channel',
  'config.notify_on': '--notify-on',
  'config.filters.severity': '--severity',
} as const;

/** The settings that were given, and nothing else. */
export function integrationConfig({
  channel,
  notifyOn,
  severity,
}: FlagValues<typeof CONFIG_FLAGS>): IntegrationConfig {
  return {
    ...(channel !== undefined && { channel }),
    ...(notifyOn.length > 0 && { notify_on: notifyOn }),
    ...(severity.length > 0 && { filters: { severity } }),
  };
}
