import { type ExamplesFor, lastPage } from './example.ts';
import { ids } from './ids.ts';

const CSV_LINES = [
  '"id","created_at","action","actor_type","actor_id","actor_name","target_type","target_id","target_name","changes","ip","user_agent","request_id","api_key_id","metadata"',
  `"${ids.audit}","2026-11-02T10:12:05.231Z","member.invited","api_key","${ids.ana}","ana@example.com","member","${ids.sam}","sam@example.com","[]","203.0.113.7","hubline/1.0.0","${ids.request}","${ids.personalKey}","{""role"":""member""}"`,
  '',
];

export const auditLogExamples = {
  'auditLog.list': {
    response: {
      data: [
        {
          id: ids.audit,
          workspace_id: ids.workspace,
          action: 'member.invited',
          actor: { type: 'api_key', id: ids.ana, name: 'ana@example.com' },
          targets: [{ type: 'member', id: ids.sam, name: 'sam@example.com' }],
          changes: [],
          context: {
            ip: '203.0.113.7',
            user_agent: 'hubline/1.0.0',
            request_id: ids.request,
            api_key_id: ids.personalKey,
          },
          metadata: { role: 'member' },
          created_at: '2026-11-02T10:12:05.231Z',
        },
      ],
      pagination: lastPage,
    },
    csv: CSV_LINES.join('\r\n'),
  },
} satisfies ExamplesFor<'auditLog'>;
