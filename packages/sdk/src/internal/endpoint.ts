import type { Method } from '../core/call.ts';
import { HublineError } from '../core/errors.ts';

/** Where a call goes. */
export interface Endpoint {
  readonly method: Method;
  /** Below the base URL. A function, so that a bad id rejects the call, as every other mistake does. */
  readonly path: () => string;
}

/**
 * A tag for endpoints as the documentation writes them: `` get`/workspaces/${workspaceId}` ``. Every `${id}` is exactly one segment
 * of the path: encoded, never empty and never a dot segment, so that an id such as `../admin` cannot reach another endpoint.
 */
const tag =
  (method: Method) =>
  (strings: TemplateStringsArray, ...ids: string[]): Endpoint => ({
    method,
    path: () => strings.reduce((done, next, index) => done + segment(ids[index - 1], strings) + next),
  });

export const get = tag('GET');
export const post = tag('POST');
export const patch = tag('PATCH');
export const del = tag('DELETE');

function segment(id: unknown, strings: TemplateStringsArray): string {
  if (typeof id === 'string' && !/^\.{0,2}$/.test(id) && id.isWellFormed()) return encodeURIComponent(id);
  const given = typeof id === 'string' ? JSON.stringify(id) : typeof id;
  throw new HublineError(`${strings.join('{id}')} needs an id in every place, not ${given}.`);
}
