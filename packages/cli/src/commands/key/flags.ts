import type { Scope } from '@hubline/contract/types';
import type { FlagTable } from '../../spec/flag.ts';

/** The scopes of the contract, as choices. */
export const SCOPES = [
  '*',
  'workspaces:read',
  'workspaces:write',
  'members:read',
  'members:write',
  'integrations:read',
  'integrations:write',
  'events:read',
  'events:write',
  'webhooks:read',
  'webhooks:write',
  'automations:read',
  'automations:write',
  'notifications:read',
  'notifications:write',
  'api_keys:read',
  'api_keys:write',
  'audit_log:read',
  'audit_log:write',
] as const satisfies readonly Scope[];

export const PERSONAL_FLAG = {
  personal: {
    type: 'boolean',
    summary: 'A key of your own for all your workspaces, instead of one for this workspace',
  },
} as const satisfies FlagTable;
