import type {
  Workspace,
  WorkspaceCreate,
  WorkspaceHealth,
  WorkspaceStats,
  WorkspaceUpdate,
} from '@hubline/contract/types';
import type { ApiPromise, PagePromise } from '../core/api-promise.ts';
import type { RequestOptions } from '../core/options.ts';
import { type QueryOf, Resource } from '../core/resource.ts';
import { del, get, patch, post } from '../internal/url.ts';

/**
 * Query of {@link Workspaces.list}. Specification, "Pagination (list endpoints)" 1 and 2.
 *
 * @example
 * ```ts
 * const { nextCursor } = await client.workspaces.list({ limit: 100 });
 * if (nextCursor !== null) await client.workspaces.list({ limit: 100, cursor: nextCursor });
 * ```
 */
export type WorkspaceListQuery = QueryOf<'workspaces.list'>;

/**
 * Query of {@link Workspaces.stats}.
 *
 * @example
 * ```ts
 * const { events, attempts } = await client.workspaces.stats(workspaceId, { window: '7d' });
 * console.log(events, attempts.succeeded, attempts.failed);
 * ```
 */
export type WorkspaceStatsQuery = QueryOf<'workspaces.stats'>;

/**
 * The top-level containers of teams. Specification, "Workspaces" 1 to 4.
 *
 * @example
 * ```ts
 * const { id } = await client.workspaces.create({ name: 'Acme', slug: 'acme' });
 * await client.workspaces.update(id, { plan: 'team' });
 * for await (const { slug, plan } of client.workspaces.list()) console.log(slug, plan);
 * ```
 */
export class Workspaces extends Resource<'workspaces'> {
  /**
   * Lists the workspaces that the key can see.
   *
   * @throws {@link ForbiddenError} when the key lacks the scope `workspaces:read`.
   *
   * @example
   * ```ts
   * for await (const workspace of client.workspaces.list()) console.log(workspace.slug);
   * ```
   */
  list(query?: WorkspaceListQuery, options?: RequestOptions): PagePromise<Workspace> {
    return this.page('list', get`/workspaces`, options, query);
  }

  /**
   * Creates a workspace; the caller becomes its owner.
   *
   * @throws {@link ConflictError} when the slug is taken.
   *
   * @example
   * ```ts
   * const { id } = await client.workspaces.create({ name: 'Acme', slug: 'acme' });
   * ```
   */
  create(body: WorkspaceCreate, options?: RequestOptions): ApiPromise<Workspace> {
    return this.call('create', post`/workspaces`, options, body);
  }

  /**
   * Reads a workspace.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * const { name, plan } = await client.workspaces.get(workspaceId);
   * ```
   */
  get(workspaceId: string, options?: RequestOptions): ApiPromise<Workspace> {
    return this.call('get', get`/workspaces/${workspaceId}`, options);
  }

  /**
   * Changes the name or slug; owners can also change the plan.
   *
   * @throws {@link ConflictError} when the slug is taken, {@link ForbiddenError} when the role does not allow it.
   *
   * @example
   * ```ts
   * await client.workspaces.update(workspaceId, { name: 'Acme Ltd' });
   * ```
   */
  update(workspaceId: string, body: WorkspaceUpdate, options?: RequestOptions): ApiPromise<Workspace> {
    return this.call('update', patch`/workspaces/${workspaceId}`, options, body);
  }

  /**
   * Deletes a workspace and everything in it; for owners. It cannot be undone.
   *
   * @throws {@link ForbiddenError}
   *
   * @example
   * ```ts
   * await client.workspaces.delete(workspaceId);
   * ```
   */
  delete(workspaceId: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.call('delete', del`/workspaces/${workspaceId}`, options);
  }

  /**
   * Reads the recent activity: counts of events, attempts and deliveries, the success rate, latencies in milliseconds, the
   * webhooks with the most failures, and a series for charts. `window` is the period up to now: `1h` in steps of a minute, `24h`
   * in steps of 15 minutes, or `7d` in steps of an hour. Latencies are estimates, within 12%. The counts are current, whichever server
   * responds.
   *
   * @throws {@link NotFoundError} when the key cannot see the workspace.
   *
   * @example
   * ```ts
   * const { success_rate, latency, webhooks } = await client.workspaces.stats(workspaceId, { window: '24h' });
   * if (success_rate !== null && success_rate < 0.99) console.warn(webhooks[0]?.url, latency?.p95_ms);
   * ```
   */
  stats(
    workspaceId: string,
    query?: WorkspaceStatsQuery,
    options?: RequestOptions,
  ): ApiPromise<WorkspaceStats> {
    return this.call('stats', get`/workspaces/${workspaceId}/stats`, options, query);
  }

  /**
   * Reads the state of the server: its version, its database, and the open deliveries of the workspace. The user created when the
   * server was set up also gets `server`: disk and memory, background jobs, backups and the certificate. Others get `null`.
   *
   * @throws {@link ForbiddenError} when the role does not allow it.
   *
   * @example
   * ```ts
   * const { version, server } = await client.workspaces.health(workspaceId);
   * console.log(version, server?.backups?.[0]?.taken_at ?? 'no backup is known');
   * ```
   */
  health(workspaceId: string, options?: RequestOptions): ApiPromise<WorkspaceHealth> {
    return this.call('health', get`/workspaces/${workspaceId}/health`, options);
  }
}
