import { ApiPromise } from './core/api-promise.ts';
import { resolveConfig } from './core/config.ts';
import type { Engine } from './core/engine.ts';
import type { ClientOptions, RequestOptions } from './core/options.ts';
import { Requester } from './core/requester.ts';
import type { RawResponse, RateLimit } from './core/response.ts';
import type { Method } from './core/transport.ts';
import type { Query } from './internal/url.ts';
import { ApiKeys } from './resources/api-keys.ts';
import { AuditLog } from './resources/audit-log.ts';
import { Automations } from './resources/automations.ts';
import { Deliveries } from './resources/deliveries.ts';
import { Events } from './resources/events.ts';
import { Integrations } from './resources/integrations/integrations.ts';
import { Invitations } from './resources/invitations.ts';
import { MeResource } from './resources/me.ts';
import { Members } from './resources/members.ts';
import { PersonalApiKeys } from './resources/personal-api-keys.ts';
import { NotificationRules } from './resources/notifications/notification-rules.ts';
import { NotificationTemplates } from './resources/notifications/notification-templates.ts';
import { Notifications } from './resources/notifications/notifications.ts';
import { OAuth } from './resources/integrations/oauth.ts';
import { Providers } from './resources/integrations/providers.ts';
import { Recoveries } from './resources/recoveries.ts';
import { Webhooks } from './resources/webhooks.ts';
import { Workspaces } from './resources/workspaces.ts';

/**
 * A request for `request`. Specification, "Versioning" 1.
 *
 * @example
 * ```ts
 * import type { RequestInput } from '@hubline/sdk';
 *
 * const input: RequestInput = { method: 'POST', path: '/things', body: { name: 'Thing' } };
 * const thing = await client.request<{ id: string }>(input);
 * ```
 */
export interface RequestInput extends RequestOptions {
  /** All but `GET` carry an idempotency key. Specification, "Limits" 4. */
  readonly method: Method;
  /** The path below the base URL, such as `/me`. Encode its parts with `encodeURIComponent`. */
  readonly path: string;
  /**
   * Added to the path; `undefined` and `null` are left out.
   *
   * @default none
   */
  readonly query?: Query | undefined;
  /**
   * The body, sent as JSON.
   *
   * @default none
   */
  readonly body?: unknown;
}

/**
 * The base class of `Hubline` in every entry point of the package. A parameter of this type takes the client of `@hubline/sdk`
 * and of `@hubline/sdk/fetch` alike.
 *
 * @example
 * ```ts
 * import type { Client } from '@hubline/sdk';
 *
 * export const emailOf = async (client: Client): Promise<string> => (await client.me.get()).user.email;
 * ```
 */
export abstract class Client {
  /** The caller. */
  readonly me: MeResource;
  /** Personal API keys of the caller. */
  readonly personalApiKeys: PersonalApiKeys;
  /** The top-level containers of teams. */
  readonly workspaces: Workspaces;
  /** The users of a workspace and their roles. */
  readonly members: Members;
  /** Invitations, for the person who was invited. */
  readonly invitations: Invitations;
  /** API keys of a workspace. */
  readonly apiKeys: ApiKeys;
  /** External tools, available and connected. */
  readonly integrations: Integrations;
  /** Tools that a workspace defines itself. */
  readonly providers: Providers;
  /** Connects tools in the browser. */
  readonly oauth: OAuth;
  /** Things that happened in the connected tools. */
  readonly events: Events;
  /** URLs that receive signed calls. */
  readonly webhooks: Webhooks;
  /** Deliveries: one event for one webhook, with its attempts. */
  readonly deliveries: Deliveries;
  /** Triggers, and the actions that follow them. */
  readonly automations: Automations;
  /** Jobs that send deliveries again. */
  readonly recoveries: Recoveries;
  /** Texts of notifications. */
  readonly notificationTemplates: NotificationTemplates;
  /** Rules for who is notified of what. */
  readonly notificationRules: NotificationRules;
  /** In-app notifications of the caller. */
  readonly notifications: Notifications;
  /** The log of changes and their actors. */
  readonly auditLog: AuditLog;

  // Private fields, because they hold the key: neither inspection nor serialization shows them.
  readonly #options: ClientOptions;
  readonly #requester: Requester;

  constructor(options: ClientOptions = {}) {
    const engine = this.engine();
    const requester = new Requester(resolveConfig(options, engine.transportOf), engine);
    this.#options = options;
    this.#requester = requester;
    this.me = new MeResource(requester, 'me');
    this.personalApiKeys = new PersonalApiKeys(requester, 'personalApiKeys');
    this.workspaces = new Workspaces(requester, 'workspaces');
    this.members = new Members(requester, 'members');
    this.invitations = new Invitations(requester, 'invitations');
    this.apiKeys = new ApiKeys(requester, 'apiKeys');
    this.integrations = new Integrations(requester, 'integrations');
    this.providers = new Providers(requester, 'providers');
    this.oauth = new OAuth(requester, 'oauth');
    this.events = new Events(requester, 'events');
    this.webhooks = new Webhooks(requester, 'webhooks');
    this.deliveries = new Deliveries(requester, 'deliveries');
    this.automations = new Automations(requester, 'automations');
    this.recoveries = new Recoveries(requester, 'recoveries');
    this.notificationTemplates = new NotificationTemplates(requester, 'notificationTemplates');
    this.notificationRules = new NotificationRules(requester, 'notificationRules');
    this.notifications = new Notifications(requester, 'notifications');
    this.auditLog = new AuditLog(requester, 'auditLog');
  }

  /** @internal */
  abstract engine(): Engine;

  /** The base URL in use, with the version at its end. Specification, "Versioning" 1. */
  get baseURL(): string {
    return this.#requester.config.baseURL;
  }

  /** The rate limit that the last response reported; `null` before the first. Specification, "Rate-limit response headers" 1 to 3. */
  get rateLimit(): RateLimit | null {
    return this.#requester.config.state.rateLimit;
  }

  /**
   * Another client with some options changed; `undefined` changes nothing. With the same key and base URL, the two also share
   * the pause after a 429.
   *
   * @throws {@link HublineError} for options that the constructor refuses.
   *
   * @example
   * ```ts
   * const patient = client.withOptions({ maxRetries: 10, totalTimeout: 300_000 });
   * ```
   */
  withOptions(options: ClientOptions): this {
    const { fetch, transport } = options;
    const Same = this.constructor as new (options: ClientOptions) => this;
    // A new `fetch` replaces an old `transport`, and the other way around.
    const sending = (fetch ?? transport) && { fetch, transport };
    const other = new Same({ ...this.#options, ...defined(options), ...sending });
    other.#requester.share(this.#requester);
    return other;
  }

  /**
   * Makes a request for which the client has no method: to an endpoint that is newer than this version, or to one of your own
   * server. Retries, idempotency and errors work as in every method: see {@link ApiPromise}.
   *
   * @throws {@link HublineError} for a path that could leave the base URL.
   *
   * @example
   * ```ts
   * const path = `/workspaces/${encodeURIComponent(workspaceId)}/usage`;
   * const usage = await client.request<{ events: number }>({ method: 'GET', path, query: { month: '2026-01' } });
   * ```
   */
  request<T = unknown>({ method, path, query, body, ...options }: RequestInput): ApiPromise<T> {
    const call = { operation: 'request', method, path: () => path, query, body, options };
    return new ApiPromise(this.#requester.run(call, 'request') as Promise<RawResponse<T>>);
  }
}

/** The fields that have a value: an explicit `undefined` means "not given", and must not overwrite an earlier value. */
const defined = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
