import type {
  Automation,
  AutomationCreate,
  AutomationRun,
  AutomationRunDetail,
  AutomationRunStart,
  AutomationTest,
  AutomationTestResult,
  AutomationUpdate,
} from '@hubline/contract/types';
import type { ApiPromise, PagePromise } from '../core/api-promise.ts';
import type { RequestOptions } from '../core/options.ts';
import { type QueryOf, Resource } from '../core/resource.ts';
import { del, get, patch, post } from '../internal/url.ts';

/**
 * Query of {@link Automations.list}. Specification, "Pagination (list endpoints)" 1 and 2.
 *
 * @example
 * ```ts
 * const automations = await client.automations.list(workspaceId, { limit: 100 }).toArray();
 * ```
 */
export type AutomationListQuery = QueryOf<'automations.list'>;

/**
 * Query of {@link Automations.listRuns}.
 *
 * @example
 * ```ts
 * const failed = await client.automations.listRuns(workspaceId, 'aut_…', { status: 'failed' }).toArray();
 * ```
 */
export type AutomationRunListQuery = QueryOf<'automations.listRuns'>;

/**
 * Triggers with conditions and the actions that follow, and their runs. Specification, "Automations" 1 to 3.
 *
 * @example
 * ```ts
 * const { id } = await client.automations.create(workspaceId, {
 *   name: 'Deploys to the board',
 *   trigger: { event: 'event.created', types: ['deploy'] },
 *   actions: [{ type: 'call_webhook', url: 'https://board.example.com/deploys' }],
 * });
 * ```
 */
export class Automations extends Resource<'automations'> {
  /**
   * Lists the automations of a workspace, oldest first.
   *
   * @throws {@link ForbiddenError} when the key lacks the scope `automations:read`.
   *
   * @example
   * ```ts
   * for await (const { name, enabled } of client.automations.list(workspaceId)) console.log(name, enabled);
   * ```
   */
  list(workspaceId: string, query?: AutomationListQuery, options?: RequestOptions): PagePromise<Automation> {
    return this.page('list', get`/workspaces/${workspaceId}/automations`, options, query);
  }

  /**
   * Creates an automation. Templates, conditions and inputs are checked here.
   *
   * @throws {@link InvalidRequestError} with the path of each error, such as `actions[0].text`.
   *
   * @example
   * ```ts
   * await client.automations.create(workspaceId, {
   *   name: 'Monday report',
   *   trigger: { event: 'schedule', cron: '0 9 * * 1', timezone: 'Europe/Berlin' },
   *   actions: [{ type: 'create_event', event_type: 'report_due', payload: {} }],
   * });
   * ```
   */
  create(workspaceId: string, body: AutomationCreate, options?: RequestOptions): ApiPromise<Automation> {
    return this.call('create', post`/workspaces/${workspaceId}/automations`, options, body);
  }

  /**
   * Reads an automation.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * const { trigger, actions } = await client.automations.get(workspaceId, 'aut_…');
   * ```
   */
  get(workspaceId: string, automationId: string, options?: RequestOptions): ApiPromise<Automation> {
    return this.call('get', get`/workspaces/${workspaceId}/automations/${automationId}`, options);
  }

  /**
   * Changes an automation, or enables or disables it. Runs that have begun continue unchanged.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * await client.automations.update(workspaceId, 'aut_…', { enabled: false });
   * ```
   */
  update(
    workspaceId: string,
    automationId: string,
    body: AutomationUpdate,
    options?: RequestOptions,
  ): ApiPromise<Automation> {
    return this.call('update', patch`/workspaces/${workspaceId}/automations/${automationId}`, options, body);
  }

  /**
   * Deletes an automation with its runs.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * await client.automations.delete(workspaceId, 'aut_…');
   * ```
   */
  delete(workspaceId: string, automationId: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.call('delete', del`/workspaces/${workspaceId}/automations/${automationId}`, options);
  }

  /**
   * Tries an automation on a past event or a given one, and returns every verdict and every rendered action. Nothing is sent.
   * The key needs `events:read` too, unless the body has `event`.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * const { matched, steps } = await client.automations.test(workspaceId, 'aut_…', { event_id: 'evt_…' });
   * ```
   */
  test(
    workspaceId: string,
    automationId: string,
    body: AutomationTest = {},
    options?: RequestOptions,
  ): ApiPromise<AutomationTestResult> {
    return this.call(
      'test',
      post`/workspaces/${workspaceId}/automations/${automationId}/test`,
      options,
      body,
    );
  }

  /**
   * Starts a run by hand, without checking the trigger and the conditions.
   * With `event_id`, the key needs `events:read` too; for the action `create_event`, it needs `events:write` too.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * const { id } = await client.automations.run(workspaceId, 'aut_…');
   * const { status } = await client.automations.getRun(workspaceId, 'aut_…', id);
   * ```
   */
  run(
    workspaceId: string,
    automationId: string,
    body: AutomationRunStart = {},
    options?: RequestOptions,
  ): ApiPromise<AutomationRun> {
    return this.call('run', post`/workspaces/${workspaceId}/automations/${automationId}/run`, options, body);
  }

  /**
   * Lists the runs of an automation, newest first.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * for await (const { id, status } of client.automations.listRuns(workspaceId, 'aut_…')) console.log(id, status);
   * ```
   */
  listRuns(
    workspaceId: string,
    automationId: string,
    query?: AutomationRunListQuery,
    options?: RequestOptions,
  ): PagePromise<AutomationRun> {
    return this.page(
      'listRuns',
      get`/workspaces/${workspaceId}/automations/${automationId}/runs`,
      options,
      query,
    );
  }

  /**
   * Reads a run with the request, response and error of each step.
   * The key needs `events:read` too.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * const { status, steps } = await client.automations.getRun(workspaceId, 'aut_…', 'run_…');
   * ```
   */
  getRun(
    workspaceId: string,
    automationId: string,
    runId: string,
    options?: RequestOptions,
  ): ApiPromise<AutomationRunDetail> {
    return this.call(
      'getRun',
      get`/workspaces/${workspaceId}/automations/${automationId}/runs/${runId}`,
      options,
    );
  }

  /**
   * Resumes a failed or cancelled run at the first step that was not done.
   *
   * @throws {@link UnprocessableEntityError} when the run has neither failed nor been cancelled.
   *
   * @example
   * ```ts
   * await client.automations.retryRun(workspaceId, 'aut_…', 'run_…');
   * ```
   */
  retryRun(
    workspaceId: string,
    automationId: string,
    runId: string,
    options?: RequestOptions,
  ): ApiPromise<AutomationRun> {
    return this.call(
      'retryRun',
      post`/workspaces/${workspaceId}/automations/${automationId}/runs/${runId}/retry`,
      options,
    );
  }

  /**
   * Ends a run before its next step.
   *
   * @throws {@link UnprocessableEntityError} when the run has ended.
   *
   * @example
   * ```ts
   * await client.automations.cancelRun(workspaceId, 'aut_…', 'run_…');
   * ```
   */
  cancelRun(
    workspaceId: string,
    automationId: string,
    runId: string,
    options?: RequestOptions,
  ): ApiPromise<AutomationRun> {
    return this.call(
      'cancelRun',
      post`/workspaces/${workspaceId}/automations/${automationId}/runs/${runId}/cancel`,
      options,
    );
  }
}
