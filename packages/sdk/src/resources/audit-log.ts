import type { AuditEntry } from '@hubline/contract/types';
import type { PagePromise } from '../core/api-promise.ts';
import type { RequestOptions } from '../core/options.ts';
import { type QueryOf, Resource } from '../core/resource.ts';
import { lowerCase } from '../internal/headers.ts';
import { get } from '../internal/url.ts';

/**
 * Query of {@link AuditLog.list}. Specification, "Pagination (list endpoints)" 1 and 2.
 *
 * @example
 * ```ts
 * const invitations = client.auditLog.list(workspaceId, { action: 'member.invited', since: '2026-01-02T00:00:00Z' });
 * for await (const { targets } of invitations) console.log(targets[0]?.name);
 * ```
 */
export type AuditLogQuery = Omit<QueryOf<'auditLog.list'>, 'format'>;

/**
 * Query of {@link AuditLog.exportCsv}, which has no pages. Specification, "Events" 4.
 *
 * @example
 * ```ts
 * const january = { since: '2026-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z' };
 * for await (const text of client.auditLog.exportCsv(workspaceId, january)) process.stdout.write(text);
 * ```
 */
export type AuditLogExportQuery = Omit<AuditLogQuery, 'limit' | 'cursor'>;

/**
 * Changes, with their actors and origins. Specification, "Events" 4.
 *
 * @example
 * ```ts
 * for await (const { created_at, actor, action } of client.auditLog.list(workspaceId))
 *   console.log(created_at, actor.name, action);
 * ```
 */
export class AuditLog extends Resource<'auditLog'> {
  /**
   * Lists the activity of a workspace, newest first.
   *
   * @throws {@link ForbiddenError} for members and viewers, {@link NotFoundError} when the key cannot see the workspace.
   *
   * @example
   * ```ts
   * const latest = await client.auditLog.list(workspaceId).toArray({ limit: 50 });
   * for (const { actor, action } of latest) console.log(actor, action);
   * ```
   */
  list(workspaceId: string, query?: AuditLogQuery, options?: RequestOptions): PagePromise<AuditEntry> {
    return this.page('list', get`/workspaces/${workspaceId}/audit-log`, options, query);
  }

  /**
   * Exports the activity of a workspace as CSV, in pieces of text as they arrive; the request is made when the iteration
   * begins. `timeout` limits the wait for each piece, `totalTimeout` the whole export with the time that you take to read it.
   *
   * @throws {@link ConnectionError} when the connection breaks off. The export is not retried, since part of it has been read.
   *
   * @example
   * ```ts
   * for await (const text of client.auditLog.exportCsv(workspaceId)) process.stdout.write(text);
   * ```
   */
  exportCsv(
    workspaceId: string,
    query?: AuditLogExportQuery,
    options?: RequestOptions,
  ): AsyncGenerator<string, void, undefined> {
    const accepting = { ...options, headers: { ...lowerCase(options?.headers), accept: 'text/csv' } };
    return this.csv('list', get`/workspaces/${workspaceId}/audit-log`, accepting, {
      ...query,
      format: 'csv',
    });
  }
}
