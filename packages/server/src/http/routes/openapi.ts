import { openApi } from '#assets';
import { jsonReply } from '../response/json-reply.ts';
import { charge } from '../charge.ts';
import type { HttpContext, HttpDeps } from '../handled-request.ts';
import { guarded } from '../guarded.ts';

/**
 * `GET /v1/openapi.json`: the OpenAPI document, which names this server as the one to call. It is made once, also for clients that come
 * meanwhile, and kept as bytes, which all responses share.
 */
export function describeApi(deps: HttpDeps) {
  let document: Promise<Buffer> | undefined;
  const read = async (): Promise<Buffer> => {
    try {
      const text = await openApi();
      const servers = [{ url: `${deps.publicUrl()}/v1`, description: 'This server.' }];
      return Buffer.from(JSON.stringify({ ...(JSON.parse(text) as object), servers }));
    } catch (error) {
      document = undefined;
      throw error;
    }
  };
  return (c: HttpContext): Promise<Response> =>
    guarded(deps, c, async (handled) => {
      await charge(deps, handled, handled.payer);
      document ??= read();
      return jsonReply(handled, 200, [await document]);
    });
}
