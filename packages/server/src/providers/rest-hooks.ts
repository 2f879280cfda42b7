import { readPointer } from '../domain/json/json-pointer.ts';
import type { JsonResponse, JsonApi } from './wire/json-api.ts';

/** The webhooks of one owner in a REST API. Such an API silently creates a second webhook for the same URL. */
export interface HookCollection {
  api: JsonApi;
  /** The name by which people know the provider. */
  provider: string;
  /** The path that a webhook is created at, and the one that lists all of them. */
  create: string;
  list: string;
  /** The path of a webhook as the API describes it; `null` when it does not say. */
  pathOf(hook: unknown): string | null;
}

/** A webhook that is there, or the response that refused it. `path` is `null` where the API did not say which was created. */
export type UpsertResult =
  | { ok: true; path: string | null; created: boolean; body: unknown }
  | { ok: false; refusal: JsonResponse };

/** Changes the webhook that is known, or the one that calls the URL, and creates one where there is none. */
export async function upsertHook(
  hooks: HookCollection,
  { known, url, settings }: { known: string | null; url: string; settings: object },
): Promise<UpsertResult> {
  const { api, create, pathOf } = hooks;
  if (known !== null) {
    const changed = await api.call('PUT', known, settings);
    if (changed.status === 200) return { ok: true, path: known, created: false, body: changed.body };
    if (changed.status !== 404) return { ok: false, refusal: changed };
  }
  const listed = await listHooks(hooks);
  if (listed.status !== 200) return { ok: false, refusal: listed };
  const there = findHook(hooks, listed, url);
  if (there !== null) {
    const changed = await api.call('PUT', there, settings);
    return changed.status === 200
      ? { ok: true, path: there, created: false, body: changed.body }
      : { ok: false, refusal: changed };
  }
  const created = await api.call('POST', create, settings);
  return created.status === 201
    ? { ok: true, path: pathOf(created.body), created: true, body: created.body }
    : { ok: false, refusal: created };
}

/** Finds the webhook that calls the URL; `null` when there is none. Throws when the provider refuses to list them. */
export async function lookUpHook(hooks: HookCollection, url: string): Promise<string | null> {
  const found = await askForHook(hooks, url);
  if (!found.ok) throw refusal(hooks, found.response);
  return found.path;
}

/** Finds the webhook that calls the URL; its path is `null` when there is none. */
export async function askForHook(
  hooks: HookCollection,
  url: string,
): Promise<{ ok: true; path: string | null } | { ok: false; response: JsonResponse }> {
  const listed = await listHooks(hooks);
  return listed.status === 200
    ? { ok: true, path: findHook(hooks, listed, url) }
    : { ok: false, response: listed };
}

/** Removes a webhook, or finds that somebody else has. Throws when it may still be there. */
export async function removeHook(
  hooks: Pick<HookCollection, 'api' | 'provider'>,
  path: string,
): Promise<void> {
  const response = await hooks.api.call('DELETE', path);
  if (response.status !== 204 && response.status !== 404) throw refusal(hooks, response);
}

const refusal = ({ provider }: Pick<HookCollection, 'provider'>, { status, message }: JsonResponse) =>
  new Error(`${provider} responded with ${status}: ${message}`);

const listHooks = ({ api, list }: HookCollection) => api.call('GET', list);

function findHook({ pathOf }: HookCollection, { body }: JsonResponse, url: string): string | null {
  const hooks = Array.isArray(body) ? (body as unknown[]) : [];
  return pathOf(hooks.find((hook) => readPointer(hook, '/url') === url));
}
