import { type EndpointInput, isId, type LoggedMessage } from '@hubline/contract';
import type { z } from 'zod';
import type { WorkspaceContext } from '../../../context.ts';
import { isoTimeOrNull } from '../../../db/core/columns/columns.ts';
import { listMessages, type MessageRow } from '../../../db/notifications/messages.ts';
import type { Content } from '../../../domain/notifications/content.ts';
import { isoTime } from '../../../domain/time.ts';
import { requireKnown } from '../../known-ids.ts';
import { page } from '../../page.ts';

const toLogged = (row: MessageRow): z.output<typeof LoggedMessage> => ({
  id: row.id,
  rule_id: isId('notificationRule', row.rule) ? row.rule : null,
  integration_id: isId('integration', row.rule) ? row.rule : null,
  trigger: row.trigger,
  event_id: row.event_id,
  kind: row.kind,
  to: row.recipient,
  subject: (JSON.parse(row.content) as Content).subject,
  status: row.status,
  reason: row.reason,
  attempts: row.attempts,
  next_attempt_at: row.completed_at === null ? isoTimeOrNull(row.next_attempt_at) : null,
  created_at: isoTime(row.created_at),
  completed_at: isoTimeOrNull(row.completed_at),
});

export async function log(context: WorkspaceContext, { query }: EndpointInput<'notificationRules.log'>) {
  const { read } = context.store;
  const { workspaceId } = context.access;
  const filter = { rule: query.rule_id, status: query.status };
  return page(context, query, {
    rows: async (request) => {
      const found = await listMessages(read, { workspaceId, filter, page: request });
      if (found.rows.length === 0) await requireKnown(read, [workspaceId], query);
      return found;
    },
    position: (row) => row.seq,
    item: toLogged,
    rowBytes: 64 * 1024,
  });
}
