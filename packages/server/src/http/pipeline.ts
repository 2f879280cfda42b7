import { deprecationHeaders, type Endpoint, type EndpointName, HEADERS, LIMITS } from '@hubline/contract';
import type { WorkspaceContext } from '../context.ts';
import { Fault, oneFault } from '../domain/faults/fault.ts';
import type { Access, Actor } from '../domain/identity/actor.ts';
import { encode } from '../domain/json/encoded.ts';
import { type AccessHints, authorize, authorizeFurther, resolveAccess } from '../services/identity/access.ts';
import { admit, type Caller, identify } from '../services/identity/admit.ts';
import type { RecallWith } from '../services/idempotency.ts';
import { jsonReply } from './response/json-reply.ts';
import type { Reply } from './response/reply.ts';
import { charge } from './charge.ts';
import type { HandledRequest, HttpContext, HttpDeps } from './handled-request.ts';
import type { Payer } from './request-limits.ts';
import { guarded } from './guarded.ts';
import { idempotentOf, isRepeatedDeletion } from './idempotent-request.ts';
import { publicContext } from './request-context.ts';
import { type JsonBody, readJson } from './request/json-body.ts';
import { parseParams, parseQuery, readBody, refuseFields, withFurther } from './request/parse-input.ts';
import { proofOf, searchOf } from './request/request.ts';

/** The validated input of a handler. */
export interface Input {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
}

/** A handler of the table, with its types erased. */
export type Handler = (context: WorkspaceContext, input: Input) => Promise<unknown>;

/**
 * Finds the faults in the sound parts of a body that its schema has refused, so that one response names all. Where the body names the
 * workspace, it may be an unknown one: `context.access` is `null` then.
 */
export type Check = (context: WorkspaceContext, sound: unknown) => Promise<readonly Fault[]>;

/** Makes the response of a special endpoint. */
export type Respond = (context: WorkspaceContext, input: Input, handled: HandledRequest) => Promise<Reply>;

/** A row of the contract, and the functions that serve it. */
export interface Route {
  name: EndpointName;
  row: Endpoint;
  handle: Handler;
  respond: Respond | undefined;
  recall: RecallWith | undefined;
  check: Check | undefined;
}

/** One row of the table as a route: authenticate, find the workspace, charge, authorize, validate, handle, encode. */
export function serve(deps: HttpDeps, route: Route) {
  const { row } = route;
  const deprecation = row.deprecated && deprecationHeaders(row.deprecated);
  return (c: HttpContext): Promise<Response> =>
    guarded(deps, c, async (handled) => {
      const { incoming, meta } = handled;
      if (deprecation) Object.assign(handled.headers, deprecation);
      const proof = proofOf(deps, incoming);
      const identifying = identify(deps, row.access, { proof, now: meta.now });
      const actor = identifying instanceof Promise ? await identifying : identifying;
      if (actor) noteCaller(deps, handled, actor);
      const search = searchOf(incoming);
      // The workspace of a request is known before its body is read, unless only the body names it.
      const isNamedInBody = bodyNamesWorkspace(row);
      const isWhole = incoming.complete;
      const early = isNamedInBody ? receiveBody(deps, handled, row) : NO_BODY;
      let json = early instanceof Promise ? await early : early;
      const named = c.req.param();
      const queried = () => search.get('workspace_id') ?? undefined;
      // Not a getter: V8 makes an object with a getter in its runtime, which costs 2 KB and the time of a lookup by key
      // (measured).
      const hints = (): AccessHints => ({ params: named, queried, body: json.value });
      let access: Access | null;
      try {
        const resolving = resolveAccess(deps, { rule: row.access, actor }, hints);
        access = resolving instanceof Promise ? await resolving : resolving;
      } catch (error) {
        // A malformed query comes first, whatever else is wrong.
        parseQuery(row.query, search);
        if (!actor) throw error;
        return repeatOrRefuse(deps, handled, { route, actor, value: json.value, error });
      }
      if (access) handled.ids.workspace_id = access.workspaceId;
      // A request for a workspace that its caller is not in is charged to the caller: nobody can use up the requests of others.
      const { payer } = handled;
      const workspacePayer: Payer | null = access && { kind: 'workspace', name: access.workspaceId };
      const charging = charge(deps, handled, payer.kind === 'session' ? payer : (workspacePayer ?? payer));
      if (charging) await charging;
      // Only now: the workspace pays for a request with a malformed query or ID, too.
      const query = parseQuery(row.query, search);
      const params = parseParams(row.params, named);
      authorize(row.access, actor, access);
      const reading = isNamedInBody ? json : receiveBody(deps, handled, row);
      json = reading instanceof Promise ? await reading : reading;
      // A key, session or role that ends while a slow body arrives must not be used.
      const admitting = isWhole
        ? { actor, access }
        : admit(deps, row.access, { proof, now: deps.clock(), hints });
      const caller = admitting instanceof Promise ? await admitting : admitting;
      return handleAdmitted(deps, handled, { route, caller, params, query, json });
    });
}

const bodyNamesWorkspace = ({ access }: Endpoint): boolean =>
  access.kind === 'workspace' && access.from.in === 'body';

/**
 * Notes the caller of a request, who pays for it until its workspace is known. A session always pays for its
 * own requests.
 */
function noteCaller(deps: HttpDeps, handled: HandledRequest, { userId, credential }: Actor): void {
  const { id, kind, workspaceId } = credential;
  if (kind === 'session') handled.payer = { kind, name: `session of ${userId}` };
  else if (workspaceId === null) handled.payer = { kind: 'user', name: userId };
  else handled.payer = { kind: 'workspace', name: workspaceId };
  handled.holder = workspaceId ?? userId;
  handled.ids.user_id = userId;
  if (id === null) return;
  handled.ids.key_id = id;
  deps.keyUsage.note(id, handled.meta.now);
}

const NO_INPUT = { ok: true, body: undefined } as const;
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const NO_BODY: JsonBody = { text: '', value: undefined };

/** Reads the body of a request. Anyone may call a public row, so its bodies must be small. */
function receiveBody(deps: HttpDeps, handled: HandledRequest, row: Endpoint): JsonBody | Promise<JsonBody> {
  if (row.method === 'GET') return NO_BODY;
  const { kind } = row.access;
  const isSmall = kind === 'public' || kind === 'optional' || !row.body;
  const reading = readJson(deps.bodies, handled, isSmall ? LIMITS.publicBodyBytes : LIMITS.bodyBytes);
  if (row.body) return reading;
  return reading instanceof Promise ? reading.then(refuseBody) : refuseBody(reading);
}

function refuseBody({ value }: JsonBody): JsonBody {
  refuseFields(value);
  return NO_BODY;
}

/** A request whose workspace cannot be used. */
interface Misdirected {
  route: Route;
  actor: Actor;
  /** Its body, if that names the workspace. */
  value: unknown;
  error: unknown;
}

/** Responds to the repetition of a deletion as to the first: what is deleted leads to no workspace. Refuses every other request. */
async function repeatOrRefuse(deps: HttpDeps, handled: HandledRequest, found: Misdirected): Promise<Reply> {
  const { actor, error } = found;
  const { row } = found.route;
  if (bodyNamesWorkspace(row)) throw await withMistakes(deps, handled, found);
  if (!(await isRepeatedDeletion(deps, { handled, row, actor, error }))) throw error;
  const charging = charge(deps, handled, handled.payer);
  if (charging) await charging;
  handled.headers[HEADERS.idempotencyReplayed] = 'true';
  return jsonReply(handled, row.status, '');
}

/**
 * Adds what else is wrong with a body to the refusal of the workspace that it names. None of it depends on the workspace, so it tells
 * nothing about one that the caller cannot see.
 */
async function withMistakes(
  deps: HttpDeps,
  handled: HandledRequest,
  { route: { row, check }, actor, value, error }: Misdirected,
): Promise<unknown> {
  if (!(error instanceof Fault) || !error.details || !row.body || !isObject(value)) return error;
  // The refusal says more about the workspace than the schema would.
  const read = readBody(row.body, { ...value, workspace_id: deps.ids('workspace') });
  const sound = read.ok ? read.body : read.sound;
  const context = publicContext(deps, handled, { actor }) as WorkspaceContext;
  const further = check && isObject(sound) ? await check(context, sound) : [];
  return read.ok ? oneFault([error, ...further]) : withFurther(read.fault, [error, ...further]);
}

/** A request that its caller is allowed to make, as it was read. */
interface Admitted extends Pick<Input, 'params' | 'query'> {
  route: Route;
  caller: Caller;
  json: JsonBody;
}

/** Validates the body, runs the handler, or recalls its earlier outcome, and encodes the result. */
async function handleAdmitted(
  deps: HttpDeps,
  handled: HandledRequest,
  { route: { name, row, handle, respond, recall, check }, caller, params, query, json }: Admitted,
): Promise<Reply> {
  const { actor, access } = caller;
  const request = row.write ? idempotentOf(deps, handled, { row, actor, json }) : null;
  const list = (): string => {
    const { cursor: _cursor, limit: _limit, ...filters } = query;
    const owner = row.access.kind === 'workspace' ? access?.workspaceId : actor?.userId;
    return JSON.stringify([name, owner, params, filters]);
  };
  // The table says which endpoints have an actor and a workspace; the handlers' types hold them to it.
  const contextOf = (write = deps.store.write) =>
    publicContext(deps, handled, { list, bodyText: json.text, write, actor, access }) as WorkspaceContext;
  const read = row.body ? readBody(row.body, json.value) : NO_INPUT;
  if (!read.ok) {
    const further = check && isObject(read.sound) ? await check(contextOf(), read.sound) : [];
    throw withFurther(read.fault, further);
  }
  const { body } = read;
  if (body) authorizeFurther(row.access, actor, body);
  const input: Input = { params, query, body };
  if (respond) return respond(contextOf(), input, handled);

  if (request === null) {
    const result = await handle(contextOf(), input);
    return jsonReply(handled, row.status, result === undefined ? '' : encode(result));
  }
  const outcome = await deps.idempotency.run(
    request,
    (write) => handle(contextOf(write), input),
    recall && { idOf: recall.idOf, find: (id) => recall.find(contextOf(), id) },
  );
  if (outcome.replayed) handled.headers[HEADERS.idempotencyReplayed] = 'true';
  return jsonReply(handled, outcome.status, outcome.body);
}
