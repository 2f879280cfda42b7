import { endpoints } from '@hubline/contract';
import { ConfigError, type ServerConfig } from '../config/config.ts';
import { withStorage } from './storage/with-storage.ts';
import type { ServerOverrides } from './server-overrides.ts';
import { resetPassword } from '../services/identity/sessions.ts';
import {
  bootstrap as bootstrapOwner,
  type Bootstrapped,
  issueSetupToken,
} from '../services/workspaces/setup.ts';

/** The owner to make. */
export interface BootstrapOptions {
  email: string;
  /** The first workspace; both or neither. */
  name?: string | undefined;
  slug?: string | undefined;
  /** Makes another key for an existing user. Default `false`: refuses if there is a user. */
  newKey?: boolean | undefined;
}

/**
 * Makes the first owner, or another key, directly in the database, whether the server is running or not.
 * Throws `ConfigError` for bad input and `Fault` when a rule forbids it.
 */
export async function bootstrap(config: ServerConfig, options: BootstrapOptions): Promise<Bootstrapped> {
  const owner = { email: checked('email', options.email), workspace: workspaceOf(options) };
  return withStorage(config, (opened) => bootstrapOwner(opened, owner, { newKey: options.newKey ?? false }));
}

/** Makes a new one-time setup link; `null` if there is a user already. */
export async function newSetupLink(config: ServerConfig): Promise<string | null> {
  const token = await withStorage(config, (opened) => issueSetupToken(opened, { anew: true }));
  return token === null
    ? null
    : `${config.publicUrl ?? `http://${config.host}:${config.port}`}/setup?token=${token}`;
}

/**
 * Gives a user a password for the dashboard, directly in the database, and ends all sessions of that user. The first
 * time, it also revokes the API keys of an account that began with a link that others have seen, unless `keepKeys`.
 * Throws `ConfigError` for a password that cannot be used and `Fault` for an unknown user.
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

function workspaceOf({ name, slug }: BootstrapOptions): { name: string; slug: string } | null {
  if (name === undefined && slug === undefined) return null;
  if (name === undefined || slug === undefined)
    throw new ConfigError('--name needs --slug, and --slug --name: give both, or neither.');
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
  // The password comes from a prompt or a file.
  const named = field === 'password' ? 'The password' : `--${field}`;
  throw new ConfigError(`${named} ${parsed.error.issues[0]?.message ?? 'cannot be used'}.`);
}
