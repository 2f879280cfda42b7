import { type EndpointName, HEADERS, type IdKind } from '@hubline/contract';
import { curlLine } from './curl.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import type { Memory } from './memory.ts';
import { rows } from './generator/json-schemas.ts';
import { problemsOf, requestOf } from './judge.ts';
import { type FuzzRequest, makeRequest } from './generator/make-request.ts';
import { type FuzzResponse, type NoResponse, Sender } from './send.ts';
import { type Caller, Ids } from './world.ts';

/** The options of a run. */
export interface FuzzPlan {
  seed: number;
  requests: number;
  onProgress?: (done: number) => void;
}

/** A response that breaks a rule, with its request. */
export interface Violation {
  /** The position of the request in its run. */
  index: number;
  problem: string;
  caller: Caller;
  /** The request as a line for a shell. */
  curl: string;
  /** The server's log about it. */
  log: string;
}

/** The result of a run. */
export interface FuzzReport {
  requests: number;
  seconds: number;
  violations: Violation[];
  /** The number of violations, of which `violations` lists the first. */
  violationCount: number;
  /** The number of responses of each status; 0 stands for no response. */
  statuses: Record<string, number>;
  /** Endpoints that never succeeded. */
  unreached: EndpointName[];
  /** The end of the server, if it ended: one of the requests without a response may have caused it. */
  crash: string | null;
  /** Memory of the server after each tenth of the run. */
  memory: Memory[];
}

const CONNECTIONS = 16;
const LISTED_MAX = 50;
const TIDY_EVERY = 250;
const READINGS = 10;
const KEPT_THINGS = 5;

/** Sends the requests of a run to a target, and judges every response. */
export async function runFuzz(
  target: FuzzTarget,
  { seed, requests, onProgress }: FuzzPlan,
): Promise<FuzzReport> {
  const run = new Run(target, seed);
  const started = performance.now();
  const readEvery = Math.ceil(requests / READINGS);
  let begun = 0;
  let done = 0;
  async function worker(): Promise<void> {
    while (begun < requests && target.crash() === null) {
      await run.send(begun++);
      const place = ++done;
      if (place % TIDY_EVERY === 0) await run.tidy();
      if (place % readEvery === 0 || place === requests) {
        await run.readMemory();
        onProgress?.(place);
      }
    }
  }
  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  } finally {
    await run.close();
  }
  const seconds = (performance.now() - started) / 1_000;
  return run.report({ requests: done, seconds });
}

class Run {
  readonly #sender: Sender;
  readonly #target: FuzzTarget;
  readonly #seed: number;
  readonly #ids: Ids;
  readonly #violations: Violation[] = [];
  readonly #statuses: Record<string, number> = {};
  readonly #reached = new Set<EndpointName>();
  readonly #memory: Memory[] = [];
  #violationCount = 0;

  constructor(target: FuzzTarget, seed: number) {
    this.#target = target;
    this.#seed = seed;
    this.#ids = new Ids(target.world);
    this.#sender = new Sender(target.world.url, CONNECTIONS);
  }

  /** Sends the request at a position of the run, and judges its responses. */
  async send(index: number): Promise<void> {
    const request = makeRequest(this.#seed, index, this.#ids);
    const responses = request.raw
      ? await this.#sender.sendRaw(request.raw)
      : [await this.#sender.send(request)];
    for (const [at, response] of responses.entries()) {
      this.#judge(request, response, at);
      if (!request.raw && 'status' in response && response.status < 300) this.#learn(request, response);
    }
  }

  #judge(request: FuzzRequest, response: FuzzResponse | NoResponse, at: number): void {
    const status = 'status' in response ? response.status : 0;
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    for (const problem of problemsOf(requestOf(request, at), response, this.#target.world)) {
      this.#violationCount += 1;
      if (this.#violations.length >= LISTED_MAX) continue;
      const { index, caller } = request;
      const id = 'status' in response ? response.headers.get(HEADERS.requestId.toLowerCase()) : undefined;
      this.#violations.push({ index, problem, caller, curl: curlLine(request), log: id ?? '' });
    }
  }

  /** Keeps the IDs, cursors and tokens of a success for later requests. */
  #learn({ row, method }: FuzzRequest, { text }: FuzzResponse): void {
    if (!row || method === 'HEAD') return;
    this.#reached.add(row.name);
    if (!LEARNED.has(row.name) || !text.startsWith('{')) return;
    const value = JSON.parse(text) as Record<string, unknown>;
    const { pagination, invite_url: link } = value as {
      pagination?: { next_cursor: string | null };
      invite_url?: string;
    };
    if (pagination?.next_cursor) this.#ids.keepCursor(row.name, pagination.next_cursor);
    if (link !== undefined) this.#ids.keepToken(new URL(link).searchParams.get('token') ?? '');
    const kind = MAKES[row.name];
    const id = kind && value[ID_FIELDS[kind] ?? 'id'];
    if (kind && typeof id === 'string') this.#ids.keep(kind, id);
  }

  async readMemory(): Promise<void> {
    const memory = await this.#target.readMemory();
    if (memory) this.#memory.push(memory);
  }

  /** Removes most of what the run has made, so that the server does the same work to the end. */
  async tidy(): Promise<void> {
    const { keys, own } = this.#target.world;
    const headers = { Authorization: `Bearer ${keys.owner}` };
    for (const [kind, path] of REMOVALS) {
      const below = `/v1${path.replace('{workspace}', own.workspace ?? '')}`;
      for (const id of this.#ids.takeOld(kind, KEPT_THINGS)) {
        await this.#sender.send({ method: 'DELETE', path: `${below}/${id}`, headers, body: null });
      }
    }
  }

  close(): Promise<void> {
    return this.#sender.close();
  }

  async report(ran: Pick<FuzzReport, 'requests' | 'seconds'>): Promise<FuzzReport> {
    // The last requests may have found no server before its end was known.
    const crash = this.#statuses[0] === undefined ? this.#target.crash() : await this.#target.ending();
    const lines = this.#target.log();
    const logOf = (id: string) => lines.find((line) => id !== '' && line.includes(id)) ?? '';
    return {
      ...ran,
      violations: this.#violations.map((violation) => ({ ...violation, log: logOf(violation.log) })),
      violationCount: this.#violationCount,
      statuses: this.#statuses,
      unreached: rows.map(({ name }) => name).filter((name) => !this.#reached.has(name)),
      crash,
      memory: this.#memory,
    };
  }
}

/** The endpoints that make things, and the ones that remove them. */
const MAKES: Partial<Record<EndpointName, IdKind>> = {
  'workspaces.create': 'workspace',
  'webhooks.create': 'webhook',
  'integrations.connect': 'integration',
  'integrations.create': 'integration',
  'providers.create': 'provider',
  'apiKeys.create': 'apiKey',
  'personalApiKeys.create': 'apiKey',
  'members.invite': 'user',
  'members.create': 'user',
  'events.publish': 'event',
  'deliveries.retryAll': 'recovery',
  'webhooks.recover': 'recovery',
  'webhooks.test': 'delivery',
  'automations.create': 'automation',
  'automations.run': 'run',
  'notificationRules.create': 'notificationRule',
  'notificationTemplates.create': 'notificationTemplate',
};
const ID_FIELDS: Partial<Record<IdKind, string>> = {
  integration: 'integration_id',
  event: 'event_id',
  provider: 'provider_id',
};
const REMOVALS: readonly [IdKind, string][] = [
  ['automation', '/workspaces/{workspace}/automations'],
  ['notificationRule', '/workspaces/{workspace}/notification-rules'],
  ['notificationTemplate', '/workspaces/{workspace}/notification-templates'],
  ['webhook', '/webhooks'],
  ['integration', '/workspaces/{workspace}/integrations'],
  ['provider', '/workspaces/{workspace}/providers'],
  ['workspace', '/workspaces'],
  ['user', '/workspaces/{workspace}/members'],
  ['apiKey', '/workspaces/{workspace}/api-keys'],
];
/** Endpoints whose responses have IDs, cursors or tokens. */
const LEARNED: ReadonlySet<EndpointName> = new Set([
  ...(Object.keys(MAKES) as EndpointName[]),
  ...rows.filter(({ query }) => query.properties?.['cursor']).map(({ name }) => name),
  'members.resendInvite',
]);
