import type { AuditEntry } from '@hubline/contract/types';
import { view } from '../spec/view.ts';

export const auditView = view<AuditEntry>()({
  noun: ['entry', 'entries'],
  fields: [
    'id',
    'workspace_id',
    'action',
    'actor',
    'targets',
    'changes',
    'context',
    'metadata',
    'created_at',
  ],
  columns: [
    'created_at',
    'action',
    { path: 'actor.name', header: 'ACTOR', flexible: true },
    {
      path: 'targets',
      flexible: true,
      text: (targets) => (targets as AuditEntry['targets']).map(({ name, id }) => name ?? id).join(', '),
    },
    { path: 'context.ip', header: 'IP', optional: true },
  ],
  id: 'id',
});
