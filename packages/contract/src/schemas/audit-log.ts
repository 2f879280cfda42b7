import { z } from 'zod';
import { text, timestamp, timestampInput } from '../text.ts';
import { id, jsonObject, pageQuery } from './common.ts';

/** One change, with its actor and origin. */
export const AuditEntry = z
  .object({
    id: z.string().describe('`aud_` and 26 characters.'),
    workspace_id: z.string().describe('Owning workspace.'),
    action: z.string().describe('The action, such as `member.invited`.'),
    actor: z
      .object({
        type: z.enum(['user', 'api_key', 'system', 'automation']).describe('Kind of actor.'),
        id: z.string().nullable().describe('The user; `null` for the system.'),
        name: z.string().nullable().describe('Email address of the user; `hubline` for the system.'),
      })
      .describe('The actor.'),
    targets: z
      .array(
        z.object({
          type: z.string().describe('Kind of the target.'),
          id: z.string().describe('ID of the target.'),
          name: z.string().nullable().describe('Name of the target at that time.'),
        }),
      )
      .describe('The targets of the action.'),
    changes: z
      .array(
        z.object({
          field: z.string().describe('The field that changed.'),
          from: z.unknown().describe('Value before; `[redacted]` for secrets.'),
          to: z.unknown().describe('Value after; `[redacted]` for secrets.'),
        }),
      )
      .describe('The changed fields.'),
    context: z
      .object({
        ip: z.string().nullable().describe('IP address of the caller.'),
        user_agent: z.string().nullable().describe('User agent of the caller.'),
        request_id: z.string().nullable().describe('ID of the request.'),
        api_key_id: z.string().nullable().describe('Key of the request.'),
      })
      .describe('Origin of the request.'),
    metadata: jsonObject.describe('Further details.'),
    created_at: timestamp.describe('Time of the action.'),
  })
  .describe('One change, with its actor and origin.')
  .meta({ id: 'AuditEntry' });

/** Query of `GET /workspaces/{id}/audit-log`. */
export const auditQuery = {
  format: z.enum(['json', 'csv']).optional().describe('`csv` streams every match. Default `json`.'),
  action: text(1, 100).optional().describe('Only this action.'),
  actor: id('user').optional().describe('Only actions of this user, by ID.'),
  target: text(1, 100).optional().describe('Only actions on this target, by ID.'),
  since: timestampInput.optional().describe('Only entries after this time.'),
  until: timestampInput.optional().describe('Only entries before this time.'),
  ...pageQuery,
};
