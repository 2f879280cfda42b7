import { openApi } from '#assets';
import { jsonReply } from '../response/json-reply.ts';
import { charge } from '../charge.ts';
import type { HttpContext, HttpDeps } from '../handled-request.ts';
import { guarded } from '../guarded.ts';

/** `GET /v1/openapi.json`: the OpenAPI document, which names this server as the one to call. */
export function describeApi(deps: HttpDeps) {
  let document: string | undefined;
  const read = async (): Promise<string> => {
    const text = await openApi();
    const servers = [{ url: `${deps.publicUrl()}/v1`, description: 'This server.' }];
    return JSON.stringify({ ...(JSON.parse(text) as object), servers });
  };
  return (c: HttpContext): Promise<Response> =>
    guarded(deps, c, async (handled) => {
      await charge(deps, handled, handled.payer);
      document ??= await read();
      return jsonReply(handled, 200, document);
    });
}
