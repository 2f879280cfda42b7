import type { ProviderHttpRequest } from '../../outbound/provider-http.ts';
import { type ApiResponse, type ApiRequest, callApi, ownReason } from './call-api.ts';
import type { ProviderTools } from '../provider.ts';

/** A provider's JSON API with one credential. */
export interface JsonApi {
  /** Throws `ProviderUnavailable` for a response that is not the provider's own. */
  call(method: ProviderHttpRequest['method'], path: string, body?: object): Promise<JsonResponse>;
}

/** A response of the provider. */
export interface JsonResponse extends ApiResponse {
  /** The provider's own reason, or why it was not asked. One line, without the credential. */
  message: string;
}

/** The base URL of an API, and the way it is called. */
interface JsonApiOptions {
  /** The name that people know it by. */
  name: string;
  base: string;
  /** True if the base URL comes from the operator, and may be in a private network. */
  trusted: boolean;
  headers: Record<string, string>;
  /** The secret that no reason may repeat. */
  credential: string;
  /** Finds the provider's reason in the body of a refusal. */
  reason(body: unknown): string;
  isRefusal?: ApiRequest['isRefusal'];
}

export function jsonApi(tools: ProviderTools, options: JsonApiOptions): JsonApi {
  const { name, base, trusted, headers, credential, reason, isRefusal } = options;
  return {
    async call(method, path, body) {
      const response = await callApi(tools, name, {
        method,
        url: base.replace(/\/+$/, '') + path,
        headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
        ...(trusted ? { trusted } : {}),
        isRefusal,
      });
      const message =
        response.status === 0 ? 'blocked address' : ownReason(reason(response.body), credential);
      return { ...response, message };
    },
  };
}
