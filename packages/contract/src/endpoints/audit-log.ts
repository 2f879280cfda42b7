import { z } from 'zod';
import type { Endpoint } from '../endpoint.ts';
import { AuditEntry, auditQuery } from '../schemas/audit-log.ts';
import { page } from '../schemas/common.ts';
import { from, inWorkspace } from './access.ts';
import { workspaceParams } from './params.ts';

export const auditLogEndpoints = {
  'auditLog.list': {
    operationId: 'listAuditLog',
    method: 'GET',
    path: '/workspaces/{id}/audit-log',
    summary: 'Read or export the audit log.',
    description:
      'Lists every change with its actor and origin, newest first. `format=csv` or `Accept: text/csv` streams every match as one CSV file. Cells that a spreadsheet would run as a formula are escaped.',
    access: inWorkspace(from.path, 'view_audit_log', 'audit_log:read'),
    params: workspaceParams,
    query: z.object(auditQuery),
    response: page(AuditEntry),
    status: 200,
    write: false,
    special: 'csv',
  },
} as const satisfies Record<string, Endpoint>;
