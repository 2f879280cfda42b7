import { createHmac } from 'node:crypto';
import { type ReceivedCall, type Receiver, type ReceiverResponse, startReceiver } from './receiver.ts';

/** A webhook of a repository, as GitHub stores it. */
interface Hook {
  id: number;
  path: string;
  config: { url: string; secret: string };
}

/** Responds in place of GitHub. May wait, or do something first. */
type Instead = (call: ReceivedCall) => ReceiverResponse | Promise<ReceiverResponse>;

/** The part of GitHub's API that an integration needs: the user, webhooks, issues. */
export interface FakeGithub extends Receiver {
  /** The tokens that work. */
  tokens: Set<string>;
  /** The repositories, `owner/repo`, whose webhooks and issues the tokens may manage. */
  repositories: Set<string>;
  hooks: Hook[];
  /** Replaces the response of a route, such as `POST /repos/octo/web/hooks`, until `reset`. */
  instead(route: string, respond: Instead): void;
  /** Forgets everything except the tokens and repositories. */
  reset(): void;
  /** The routes that were called. */
  routes(): string[];
}

export async function startFakeGithub(): Promise<FakeGithub> {
  const tokens = new Set(['ghp_works']);
  const repositories = new Set(['octo/web', 'octo/app']);
  const hooks: Hook[] = [];
  const others = new Map<string, Instead>();
  let ids = 100;

  const receiver = await startReceiver((call) => {
    const other = others.get(routeOf(call));
    return other ? other(call) : github(call);
  });

  function github({ method, url, headers, body }: ReceivedCall): ReceiverResponse {
    if (!tokens.has((headers.authorization ?? '').slice('Bearer '.length)))
      return { status: 401, body: { message: 'Bad credentials' } };
    const { pathname } = new URL(url, 'http://github.test');
    if (pathname === '/user') return { status: 200, body: { login: 'octocat' } };
    const [, repository = '', what, id] = /^\/repos\/([^/]+\/[^/]+)\/(\w+)(?:\/(\d+))?/.exec(pathname) ?? [];
    if (!repositories.has(repository)) return { status: 404, body: { message: 'Not Found' } };
    if (what === 'issues') return { status: 201, body: { number: 42 } };
    const given = body === '' ? null : (JSON.parse(body) as Pick<Hook, 'config'>);
    return id === undefined
      ? all(method, `/repos/${repository}/hooks`, given)
      : one(method, Number(id), given);
  }

  function all(method: string, path: string, given: Pick<Hook, 'config'> | null): ReceiverResponse {
    const here = hooks.filter((hook) => hook.path === path);
    if (method === 'GET' || !given) return { status: 200, body: here };
    if (here.some(({ config }) => config.url === given.config.url))
      return { status: 422, body: { message: 'Validation Failed' } };
    const hook = { id: (ids += 1), path, config: given.config };
    hooks.push(hook);
    return { status: 201, body: hook };
  }

  function one(method: string, id: number, given: Pick<Hook, 'config'> | null): ReceiverResponse {
    const hook = hooks.find((each) => each.id === id);
    if (!hook) return { status: 404, body: { message: 'Not Found' } };
    if (method === 'DELETE') hooks.splice(hooks.indexOf(hook), 1);
    if (given) hook.config = given.config;
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: hook };
  }

  return {
    ...receiver,
    tokens,
    repositories,
    hooks,
    instead: (route, respond) => void others.set(route, respond),
    reset() {
      others.clear();
      hooks.length = 0;
      receiver.calls.length = 0;
    },
    routes: () => receiver.calls.map(routeOf),
  };
}

const routeOf = ({ method, url }: ReceivedCall) => `${method} ${url}`;

/** Calls an ingest URL as GitHub does. */
export function callFromGithub(
  { url, secret }: { url: string; secret: string },
  event: string,
  payload: object,
): Promise<Response> {
  const body = JSON.stringify(payload);
  return fetch(url, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': crypto.randomUUID(),
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
  });
}
