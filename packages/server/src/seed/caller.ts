import { type Endpoint, type EndpointName, type EndpointOutput, endpoints } from '@hubline/contract';
import type { Deps, WorkspaceContext } from '../context.ts';
import type { Access, Actor } from '../domain/identity/actor.ts';
import { createCursors } from '../http/response/cursors.ts';
import { handlers } from '../http/handlers.ts';
import { workContext } from '../work-context.ts';

/** A member of the workspace who acts in a browser. */
export interface SeedCaller {
  actor: Actor;
  access: Access;
}

interface Request {
  params?: Readonly<Record<string, string>>;
  body?: unknown;
}

type Called = keyof typeof handlers;
type Handler = (context: WorkspaceContext, input: object) => Promise<unknown>;

// An address of the network that is reserved for documentation (RFC 5737).
const IP = '203.0.113.24';
const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36';

/** Does what a request would do, without HTTP: checks the input by the contract, and runs the endpoint's own handler. */
export async function call<Name extends Called>(
  deps: Deps,
  caller: SeedCaller | null,
  request: Request & { name: Name },
): Promise<EndpointOutput<Name & EndpointName>> {
  const { name, params = {}, body } = request;
  const row: Endpoint = endpoints[name];
  const input = { params, query: {}, body: row.body ? row.body.parse(body) : undefined };
  const context = { ...contextOf(deps), actor: null, ...caller } as WorkspaceContext;
  return (await (handlers[name] as unknown as Handler)(context, input)) as EndpointOutput<
    Name & EndpointName
  >;
}

/** The context of a request that is made now. */
export function contextOf(deps: Deps) {
  return {
    ...workContext(deps),
    requestId: deps.ids('request'),
    ip: IP,
    userAgent: BROWSER,
    bodyText: '',
    cursors: createCursors(deps.vault, () => ''),
    reserveResponse: async (bytes: number) => deps.budgets.responses.reserve('seed', bytes),
  };
}
