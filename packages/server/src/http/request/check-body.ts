import { type Endpoint, endpoints } from '@hubline/contract';
import { parseBody, refuseFields } from './parse-input.ts';

/** A request that is not sent. */
interface HeldBack {
  method: string;
  /** Below the base URL, without a query. */
  path: string;
  body: unknown;
}

/**
 * Refuses the body of a request as the API does before it looks anything up. For a dry run, which sends no request. A request to an
 * unknown endpoint passes.
 */
export function checkBody({ method, path, body }: HeldBack): void {
  const rows: readonly Endpoint[] = Object.values(endpoints);
  const row = rows.find((each) => each.method === method && patternOf(each.path).test(path));
  if (row?.body) parseBody(row.body, body);
  else if (row && !row.bodies && row.special === undefined) refuseFields(body);
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
