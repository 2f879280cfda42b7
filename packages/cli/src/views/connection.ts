import { view } from '../spec/view.ts';

/** A saved connection, without its key. */
export interface ConnectionInfo {
  readonly name: string;
  readonly current: boolean;
  readonly base_url: string;
  readonly workspace: string | null;
  /** The first characters of the key; `null` when logged out. */
  readonly key: string | null;
  /** Where the key is kept; `null` when logged out. */
  readonly key_in: 'keychain' | 'file' | null;
}

export const connectionView = view<ConnectionInfo>()({
  noun: ['context', 'contexts'],
  fields: ['name', 'current', 'base_url', 'workspace', 'key', 'key_in'],
  columns: [
    { path: 'name', flexible: true },
    'current',
    { path: 'base_url', flexible: true },
    'workspace',
    { path: 'key', optional: true },
    { path: 'key_in', optional: true },
  ],
  id: 'name',
});

/** Whether and how a command would be authenticated. */
export interface LoginStatus {
  readonly context: string | null;
  readonly base_url: string;
  readonly email: string;
  readonly user_id: string;
  readonly key_id: string;
  readonly key_prefix: string;
  readonly key_source: string;
  readonly expires_at: string | null;
  readonly workspace: string | null;
}

export const loginStatusView = view<LoginStatus>()({
  noun: ['login', 'logins'],
  fields: [
    'context',
    'base_url',
    'email',
    'user_id',
    'key_id',
    'key_prefix',
    'key_source',
    'expires_at',
    'workspace',
  ],
  columns: ['email', 'base_url', 'key_prefix', 'context'],
  id: 'user_id',
});
