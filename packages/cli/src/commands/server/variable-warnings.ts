import { VARIABLES } from '../help/variables.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Sentences about variables that have no effect on a server or a command, such as a mistyped `HUBLINE_PROT`. */
export async function variableWarnings(env: Env, databaseUrl: string | undefined): Promise<string[]> {
  const { providers, unknownVariables } = await import('@hubline/server');
  const unknown = unknownVariables(env, providers)
    .filter((name) => !Object.hasOwn(VARIABLES, name))
    .map(
      (name) =>
        `${name} is not a variable of Hubline, and has no effect. Check its spelling: hubline help environment`,
    );
  return [...unknown, ...(databaseUrl === undefined ? [] : unreadSettings(env, databaseUrl))];
}

const FLAG = '--database-url (or HUBLINE_DATABASE_URL)';

// Variables that psql reads, and the driver of the server does not.
const UNREAD = { PGSSLROOTCERT: 'sslrootcert', PGSSLCERT: 'sslcert', PGSSLKEY: 'sslkey' };

// A server refuses a replica in any case.
const WRITABLE = ['any', 'read-write', 'primary'];

function unreadSettings(env: Env, databaseUrl: string): string[] {
  const { searchParams } = new URL(databaseUrl);
  const files = Object.entries(UNREAD)
    .filter(([variable, parameter]) => env[variable] && !searchParams.has(parameter))
    .map(
      ([variable, parameter]) =>
        `${variable} has no effect. Name the file with ${parameter}=/path in ${FLAG}.`,
    );
  const inUrl = searchParams.get('target_session_attrs');
  const wanted = inUrl ?? env['PGTARGETSESSIONATTRS'] ?? '';
  const name = inUrl === null ? 'PGTARGETSESSIONATTRS' : 'target_session_attrs';
  if (wanted === '' || WRITABLE.includes(wanted)) return files;
  return [...files, `${name}=${wanted} has no effect: a server writes. Name the primary in ${FLAG}.`];
}
