import { session } from '../../api/session.ts';
import { isWindows, quoted } from './shell-samples.ts';

/** The command line of the server's machine; `null` unless the user is its operator. */
function serverCommandLine() {
  const { value } = session;
  return value === null || value === 'unknown' ? null : value.command_line;
}

/** The words that start the program on the reader's machine. The server's own program exists there only if the page is on that machine, too. */
export function program(): string {
  const isHere = /^(localhost|127\.|\[::1)/.test(location.hostname);
  return (isHere && serverCommandLine()?.program) || 'npx -y hubline';
}

/** A command about this workspace, to paste as it is; `file` is text for its `--file`. */
export function commandSample(slug: string, line: string, file?: string): Readonly<Record<string, string>> {
  const command = `${program()} ${line} --base-url ${location.origin} --workspace ${slug}`;
  return { 'command line': file === undefined ? command : withFile(command, file) };
}

/** Forwards the events of the workspace to a program under development. */
export const listenSample = (slug: string) => commandSample(slug, 'listen localhost:3000/hook');

const withFile = (command: string, text: string): string =>
  isWindows() ? `@'\n${text}\n'@ | ${command} --file -` : `${command} --file - <<'END'\n${text}\nEND`;

/** A command for the machine of the server, with its storage. The URL of a database may hold its password, so an environment variable stands in for it. */
export function operatorCommand(line: string): string {
  const known = serverCommandLine();
  if (!known) return `hubline ${line}`;
  const { program: words, data } = known;
  const url = isWindows() ? '$env:HUBLINE_DATABASE_URL' : '"$HUBLINE_DATABASE_URL"';
  return `${words} ${line} ${data === null ? `--database-url ${url}` : `--data ${quoted(data)}`}`;
}

/** Starts the server as it was started, with one more flag. */
const startWith = (flag: string): string =>
  [operatorCommand('server start'), serverCommandLine()?.flags, flag].filter(Boolean).join(' ');

/** The ways to reach a receiver on this machine. Only the operator can restart the server. */
export const localSamples = (slug: string): Readonly<Record<string, string>> => ({
  Forward: listenSample(slug)['command line'] ?? '',
  ...(serverCommandLine() && { 'Restart the server': startWith('--allow-http-localhost') }),
});

/** The commands that back this server up: now, while it runs, and every day from its next start. */
export function backupSamples(): Readonly<Record<string, string>> {
  const { data = null } = serverCommandLine() ?? {};
  const folder = `${data ?? '/var/lib/hubline'}-backups`;
  const inFolder = (line: string) => `mkdir ${isWindows() ? '-Force' : '-p'} ${quoted(folder)}\n${line}`;
  return {
    Now: inFolder(operatorCommand(`server backup ${quoted(`${folder}/by-hand.db`)} --force`)),
    'Every day': inFolder(startWith(`--backup-every 24h --backup-to ${quoted(folder)}`)),
  };
}
