import type { ApiKey, ApiKeyWithSecret } from '@hubline/contract/types';
import { view } from '../spec/view.ts';

const fields = [
  'id',
  'workspace_id',
  'name',
  'prefix',
  'role',
  'scopes',
  'status',
  'created_by',
  'created_at',
  'last_used_at',
  'expires_at',
  'revoked_at',
] as const;

const columns = ['id', { path: 'name', flexible: true }, 'prefix', 'status', 'role', 'last_used_at'] as const;

export const keyView = view<ApiKey>()({ noun: ['key', 'keys'], fields, columns, id: 'id' });

export const createdKeyView = view<ApiKeyWithSecret>()({
  noun: ['key', 'keys'],
  fields: [...fields, 'key'],
  columns,
  id: 'id',
  oneTimeSecrets: ['key'],
});
