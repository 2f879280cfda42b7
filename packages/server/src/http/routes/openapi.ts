import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { jsonReply } from '../answer/json-reply.ts';
import { charge } from '../charge.ts';
import type { HttpContext, HttpDeps } from '../exchange.ts';
import { guarded } from '../guarded.ts';

// The contract generates it and commits it: reading a file costs a server nothing until somebody asks.
const FILE = createRequire(import.meta.url).resolve('@hubline/contract/openapi.json');

/** `GET /v1/openapi.json`: the OpenAPI document, which names this server as the one to call. */
export function describeApi(deps: HttpDeps) {
  let document: string | undefined;
  const read = async (): Promise<string> => {
    const text = await readFile(FILE, 'utf8');
    const servers = [{ url: `${deps.publicUrl()}/v1`, description: 'This server.' }];
    return JSON.stringify({ ...(JSON.parse(text) as object), servers });
  };
  return (c: HttpContext): Promise<Response> =>
    guarded(deps, c, async (exchange) => {
      await charge(deps, exchange, exchange.payer);
      document ??= await read();
      return jsonReply(exchange, 200, document);
    });
}
