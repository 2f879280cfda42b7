import { openApi } from '#assets';
import { Encoded } from '../../domain/json/encoded.ts';
import { jsonReply } from '../response/json-reply.ts';
import { charge } from '../charge.ts';
import type { HttpContext, HttpDeps } from '../handled-request.ts';
import { guarded } from '../guarded.ts';

/** `GET /v1/openapi.json`: the OpenAPI document, which names this server as the one to call. */
export function describeApi(deps: HttpDeps) {
  const document = apiDocument(openApi, deps.publicUrl);
  return (c: HttpContext): Promise<Response> =>
    guarded(deps, c, async (handled) => {
      await charge(deps, handled, handled.payer);
      return jsonReply(handled, 200, new Encoded([await document()]));
    });
}

/** The document is made once, also for clients that come meanwhile, and kept as bytes, which all responses share. */
export function apiDocument(read: () => Promise<string>, publicUrl: () => string): () => Promise<Buffer> {
  let document: Promise<Buffer> | undefined;
  const make = async (): Promise<Buffer> => {
    try {
      const servers = [{ url: `${publicUrl()}/v1`, description: 'This server.' }];
      return Buffer.from(JSON.stringify({ ...(JSON.parse(await read()) as object), servers }));
    } catch (error) {
      document = undefined;
      throw error;
    }
  };
  return () => (document ??= make());
}
