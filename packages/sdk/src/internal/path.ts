import { HublineError } from '../core/hubline-error.ts';

/**
 * Builds a path of which every `${id}` is exactly one segment: encoded, never empty and never a dot segment, so that
 * an id such as `../admin` cannot reach another endpoint.
 */
export function path(strings: TemplateStringsArray, ...ids: string[]): string {
  return strings.reduce((done, next, index) => done + segment(ids[index - 1], strings) + next);
}

function segment(id: unknown, strings: TemplateStringsArray): string {
  if (typeof id === 'string' && !/^\.{0,2}$/.test(id) && id.isWellFormed()) return encodeURIComponent(id);
  throw new HublineError(
    `${strings.join('{id}')} needs an id in every place, not ${typeof id === 'string' ? JSON.stringify(id) : typeof id}.`,
  );
}
