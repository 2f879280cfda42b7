import type { AuditEntry } from '@hubline/contract/types';
import type { RequestOptions } from '../core/options.ts';
import type { PagePromise } from '../core/page-promise.ts';
import { Resource, type QueryOf } from '../core/resource.ts';
import { path } from '../internal/path.ts';

/** Query of {@link AuditLog.list}. */
export type AuditLogQuery = Omit<QueryOf<'auditLog.list'>, 'format'>;

/** Query of {@link AuditLog.exportCsv}, which knows no pages. */
export type AuditLogExportQuery = Omit<AuditLogQuery, 'limit' | 'cursor'>;

/** Who changed what, and from where. Specification, "Events" (changelog). */
export class AuditLog extends Resource {
  /**
   * Lists the activity of a workspace, newest first.
   *
   * @example
   * ```ts
   * const latest = await client.auditLog.list(workspaceId).toArray({ limit: 50 });
   * for (const { actor, action } of latest) console.log(actor, action);
   * ```
   */
  list(workspaceId: string, query: AuditLogQuery = {}, options?: RequestOptions): PagePromise<AuditEntry> {
    return this.page('auditLog.list', { path: path`/workspaces/${workspaceId}/audit-log`, query, options });
  }

  /**
   * Exports the activity of a workspace as CSV, in pieces of text as they arrive; the request is made when the iteration
   * begins. `timeout` is how long the next piece may take.
   *
   * @throws {@link ConnectionError} when the rest is lost: it is not retried, since half of it is read.
   *
   * @example
   * ```ts
   * for await (const text of client.auditLog.exportCsv(workspaceId)) process.stdout.write(text);
   * ```
   */
  exportCsv(
    workspaceId: string,
    query: AuditLogExportQuery = {},
    options?: RequestOptions,
  ): AsyncGenerator<string, void, undefined> {
    return this.text('auditLog.list', {
      path: path`/workspaces/${workspaceId}/audit-log`,
      query: { ...query, format: 'csv' },
      options: { ...options, headers: { accept: 'text/csv', ...options?.headers } },
    });
  }
}
