import { Hubline as OverFetch } from './fetch.ts';
import {
  type AbortError,
  type APIError,
  type Client,
  type ClientOptions,
  type ConflictError,
  type ConnectionError,
  type Event,
  type EventPublish,
  Hubline,
  type HublineError,
  type InvalidResponseError,
  isAbortError,
  isAPIError,
  isConnectionError,
  isHublineError,
  isInvalidResponseError,
  isTimeoutError,
  type ListedEvent,
  type Member,
  type Middleware,
  type Page,
  type PagePromise,
  type RequestOptions,
  type ResponseInfo,
  type Role,
  type StandardSchema,
  type Subscription,
  type TimeoutError,
  type Transport,
  type Workspace,
} from './index.ts';
import { Hubline as OverKy, kyTransport } from './ky.ts';
import { Hubline as OverNode } from './node.ts';

// The ways in which programs use the SDK. Compiled by tsc, never run: an assertion that does not hold is a type error.
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function assertType<_Holds extends true>(): void {}

const client = new Hubline();
const [workspaceId, webhookId] = ['ws_…', 'whk_…'];

/** Guards one after the other: each leaves the classes that the later ones recognize. */
export function guardsInAnyOrder(error: unknown): string {
  if (isAPIError(error, 'conflict')) {
    assertType<Equal<typeof error, ConflictError>>();
    return error.details.map(({ field }) => field).join();
  }
  if (isAPIError(error)) return `${error.status} ${error.code} ${error.requestId}`;
  if (isTimeoutError(error)) return error.name satisfies 'TimeoutError';
  if (isConnectionError(error)) return error.message;
  if (isInvalidResponseError(error)) return `${error.status}`;
  if (isAbortError(error)) return String(error.cause);
  if (isHublineError(error)) return error.idempotencyKey ?? error.message;
  return error instanceof Error ? error.message : 'unknown';
}

/** A guard that returns false leaves the type as it was, not `never`. */
export function guardsThatSayNo(error: HublineError, other: APIError): void {
  if (!isConnectionError(error)) assertType<Equal<typeof error, HublineError>>();
  if (!isAbortError(error)) error.message satisfies string;
  if (!isInvalidResponseError(error)) error.toJSON() satisfies Record<string, unknown>;
  if (!isAPIError(error)) error.idempotencyKey satisfies string | null;
  if (!isAPIError(other, 'not_found')) other.status satisfies number;
  else other.name satisfies 'NotFoundError';
}

/** The name identifies the class, even among classes with the same fields. */
export function namesDiscriminate(
  error: AbortError | ConnectionError | TimeoutError | InvalidResponseError,
): void {
  if (error.name === 'InvalidResponseError') error.requestId satisfies string | null;
  if (error.name === 'AbortError') assertType<Equal<typeof error, AbortError>>();
  // @ts-expect-error no error has this name
  if (error.name === 'Timeout') return;
}

interface Deployment {
  readonly version: string;
  readonly services: readonly string[];
}

/** An interface, a class or a `Record` can be a payload; a string cannot. */
export async function payloads(deployment: Deployment, event: Event): Promise<void> {
  await client.events.publish(workspaceId, { type: 'deploy', payload: deployment });
  await client.events.publish(workspaceId, {
    type: 'deploy',
    payload: { ...deployment, at: new URL('https://a.test') },
  });
  await client.events.publish(workspaceId, { type: event.type, payload: event.payload });
  // @ts-expect-error a payload is an object
  await client.events.publish(workspaceId, { type: 'deploy', payload: 'v1' });
  // @ts-expect-error a payload is needed
  await client.events.publish(workspaceId, { type: 'deploy' });
}

const subscriptions = ['event.created', 'user.invited'] as const;

/** Inputs may be readonly lists. */
export async function readonlyLists(
  events: readonly EventPublish[],
  types: ReadonlyArray<string>,
): Promise<void> {
  await client.webhooks.update(webhookId, { events: subscriptions, filters: { event_types: types } });
  await client.events.publishBatch(workspaceId, { events });
  await client.personalApiKeys.create({ name: 'ci', scopes: ['events:read'] as const });
  subscriptions satisfies readonly Subscription[];
  Object.freeze(['*']) satisfies readonly string[];
}

/** Values may be `undefined`, such as those of an environment, a form, or an options object. */
export async function undefinedOptions(read: {
  limit?: number;
  type?: string;
  key: string | undefined;
}): Promise<void> {
  const options: ClientOptions = {
    apiKey: read.key,
    timeout: undefined,
    fetch: undefined,
    transport: undefined,
  };
  const other = new Hubline(options).withOptions({ maxRetries: undefined, headers: { 'x-team': read.type } });
  await other.events.list(workspaceId, { limit: read.limit, type: read.type, cursor: undefined });
  await other.workspaces.update(workspaceId, { name: read.type });
  await other.me.get({ signal: undefined, idempotencyKey: undefined, schema: undefined, headers: undefined });
  await other.events.list(workspaceId, undefined, { timeout: 1_000 });
}

/** `request` takes every HTTP method. The caller declares the type of the response. */
export async function escapeHatch(): Promise<void> {
  assertType<Equal<Awaited<ReturnType<typeof client.request>>, unknown>>();
  const usage = await client.request<{ events: number }>({
    method: 'GET',
    path: '/usage',
    query: { days: 7, all: null },
  });
  usage.events satisfies number;
  await client.request({ method: 'PUT', path: '/things/1', body: { name: 'Thing' }, maxRetries: 0 });
  // @ts-expect-error no method of the API
  await client.request({ method: 'TRACE', path: '/' });
  // @ts-expect-error a list is not a value of a query
  await client.request({ method: 'GET', path: '/', query: { type: ['a'] } });
}

/** A list is a promise of its first page, and an iterable of items. */
export async function lists(): Promise<ListedEvent[]> {
  const listed = client.events.list(workspaceId);
  assertType<Equal<typeof listed, PagePromise<ListedEvent>>>();
  const page = await listed;
  assertType<Equal<typeof page, Page<ListedEvent>>>();
  page.nextCursor satisfies string | null;
  for await (const member of client.members.list(workspaceId)) assertType<Equal<typeof member, Member>>();
  for await (const { data } of listed.pages()) data satisfies ListedEvent[];
  for await (const event of client.events.stream(workspaceId, { since: undefined }))
    event satisfies ListedEvent;
  for await (const text of client.auditLog.exportCsv(workspaceId)) text satisfies string;
  const all: ListedEvent[] = await listed.toArray();
  return [...all, ...(await page.toArray({ limit: 10 }))];
}

/** A call is a promise like any other, and also gives its response. */
export async function promises(): Promise<void> {
  const { data, response } = await client.me.get().withResponse();
  data.user.email satisfies string;
  response satisfies ResponseInfo;
  (await client.me.get().asResponse()) satisfies Response;
  const [workspace, nothing] = await Promise.all([
    client.workspaces.get(workspaceId),
    client.webhooks.delete(webhookId),
  ]);
  assertType<Equal<typeof workspace, Workspace>>();
  assertType<Equal<typeof nothing, undefined>>();
  const found = await client.workspaces.get(workspaceId).catch(() => null);
  found?.name satisfies string | undefined;
}

/** Editors complete the known values. Others compile, because a newer server may send them. */
export function openValues(member: Member): Role | 'guest' {
  switch (member.role) {
    case 'owner':
    case 'admin':
    case 'member':
    case 'viewer':
      return member.role as Role;
    default:
      return 'guest';
  }
}

/** The client of every entry point can be passed as a `Client`. */
export async function entries(use: (client: Client) => Promise<void>): Promise<void> {
  await use(client);
  await use(new OverFetch({ fetch }));
  await use(new OverNode().withOptions({ timeout: 1_000 }));
  await use(
    new OverKy({
      transport: kyTransport({ cache: 'no-store', next: { revalidate: 60 }, cf: { cacheTtl: 5 } }),
    }),
  );
  const derived: OverFetch = new OverFetch().withOptions({});
  await use(derived);
}

/** Custom transports, middleware and schemas. */
export function extensions(schema: StandardSchema): Hubline {
  const transport: Transport = async () => ({ status: 204, headers: {}, body: null });
  const middleware: Middleware = (request, next, { operation, attempt }) =>
    next({ ...request, headers: { ...request.headers, 'x-call': `${operation} ${attempt}` } });
  const once: RequestOptions = { schema, signal: AbortSignal.timeout(1_000) };
  void client.me.get(once);
  // @ts-expect-error no method has this name
  client.withOptions({ schemas: { 'me.fetch': schema } });
  return new Hubline({ transport, middleware: [middleware], schemas: { 'me.get': schema }, logger: console });
}
