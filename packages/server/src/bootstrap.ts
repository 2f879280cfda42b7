import { endpoints } from '@hubline/contract';
import { ConfigError, type ServerConfig } from './config.ts';
import { type JobState, listJobs as listJobRows, retryJob as retryJobRow } from './db/jobs.ts';
import { Fault } from './domain/faults/fault.ts';
import { createIds } from './ids.ts';
import { openStorage } from './open-storage.ts';
import type { ServerOverrides } from './server.ts';
import { resetPassword } from './services/identity/sessions.ts';
import {
  bootstrap as bootstrapOwner,
  type Bootstrapped,
  issueSetupToken,
} from './services/identity/setup.ts';

/** The owner to be. */
export interface BootstrapOptions {
  email: string;
  /** The first workspace; both or neither. */
  name?: string | undefined;
  slug?: string | undefined;
  /** Make a further key for a user who exists. Default `false`: refuse when there is a user. */
  newKey?: boolean | undefined;
}

/**
 * Makes the first owner, or a further key, straight in the database: works while the server is stopped or running.
 * Throws `ConfigError` for bad input and `Fault` when a rule forbids it.
 */
export async function bootstrap(config: ServerConfig, options: BootstrapOptions): Promise<Bootstrapped> {
  const owner = { email: checked('email', options.email), workspace: workspaceOf(options) };
  return withStorage(config, (opened) => bootstrapOwner(opened, owner, { newKey: options.newKey ?? false }));
}

/** A new one-time set-up link; `null` when there is a user already. */
export async function newSetupLink(config: ServerConfig): Promise<string | null> {
  const token = await withStorage(config, issueSetupToken);
  return token === null
    ? null
    : `${config.publicUrl ?? `http://${config.host}:${config.port}`}/setup?token=${token}`;
}

/**
 * Gives a user a password for the dashboard, straight in the database, and ends all sessions of that user. The first time, it
 * also revokes the API keys of an account that began with a link which others have seen, unless `keepKeys`. Throws
 * `ConfigError` for a password that cannot be used and `Fault` for an unknown user.
 */
export async function setUserPassword(
  config: ServerConfig,
  input: { email: string; password: string; keepKeys?: boolean | undefined },
  { passwordCost }: Pick<ServerOverrides, 'passwordCost'> = {},
): Promise<{ user_id: string; email: string; keys_revoked: number }> {
  const user = {
    email: checked('email', input.email),
    password: checked('password', input.password),
    keepKeys: input.keepKeys ?? false,
    passwordCost,
  };
  return withStorage(config, (opened) => resetPassword(opened, user));
}

/** Brings the schema of the database up to date, as a server does when it starts. Gives the copy that SQLite was saved in before. */
export async function migrateDatabase(config: ServerConfig): Promise<{ backup: string | null }> {
  const { store, migrationBackup } = await openStorage(config, new Date());
  await store.close();
  return { backup: migrationBackup };
}

/** A background job as operators see it. */
export interface JobInfo {
  id: number;
  /** The work, such as `mail`. */
  kind: string;
  /** The subject, such as the id of an integration. */
  key: string;
  state: JobState;
  /** How often it was tried since it last got further. */
  attempts: number;
  /** When it is tried next; `null` when it failed or runs. */
  due_at: string | null;
  last_error: string | null;
  created_at: string;
  failed_at: string | null;
}

/** Which jobs to show. */
export interface JobFilter {
  kind?: string | undefined;
  state?: JobState | undefined;
}

/** The background jobs that are not done, straight from the database. */
export async function listJobs(config: ServerConfig, filter: JobFilter = {}): Promise<JobInfo[]> {
  const rows = await withStorage(config, ({ store, clock }) =>
    listJobRows(store.read, clock().getTime(), filter),
  );
  return rows.map(
    ({ seq: id, lease_owner: _, created_at: made, failed_at: failed, due_at: due, ...row }) => ({
      id,
      ...row,
      due_at: row.state === 'failed' || row.state === 'running' ? null : new Date(due).toISOString(),
      created_at: new Date(made).toISOString(),
      failed_at: failed === null ? null : new Date(failed).toISOString(),
    }),
  );
}

/** Lets a job begin anew: a running server takes it up within half a minute. Throws `Fault` when there is none, or it runs. */
export async function retryJob(config: ServerConfig, id: string): Promise<{ id: number }> {
  const seq = Number(id);
  const retried =
    /^\d{1,15}$/.test(id) &&
    (await withStorage(config, ({ store, clock }) =>
      store.write((tx) => retryJobRow(tx, seq, clock().getTime())),
    ));
  if (!retried)
    throw new Fault(
      'not_found',
      `There is no job ${id} that could be retried: it is done, or runs just now.`,
    );
  return { id: seq };
}

async function withStorage<Result>(
  config: ServerConfig,
  work: (deps: Parameters<typeof bootstrapOwner>[0]) => Promise<Result>,
): Promise<Result> {
  const clock = () => new Date();
  const { store } = await openStorage(config, clock());
  try {
    return await work({ store, clock, ids: createIds(clock) });
  } finally {
    await store.close();
  }
}

function workspaceOf({ name, slug }: BootstrapOptions): { name: string; slug: string } | null {
  if (name === undefined && slug === undefined) return null;
  if (name === undefined || slug === undefined)
    throw new ConfigError('--name and --slug go together: give both, or neither.');
  return { name: checked('name', name), slug: checked('slug', slug) };
}

const FIELDS = {
  email: endpoints['members.invite'].body.shape.email,
  name: endpoints['workspaces.create'].body.shape.name,
  slug: endpoints['workspaces.create'].body.shape.slug,
  password: endpoints['invitations.accept'].body.shape.password.unwrap(),
};

function checked(field: keyof typeof FIELDS, value: string): string {
  const parsed = FIELDS[field].safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ConfigError(`--${field} ${parsed.error.issues[0]?.message ?? 'cannot be used'}.`);
}
