import { readPointer } from '../../domain/json/json-pointer.ts';
import type { Credentials, ProviderTools } from '../provider.ts';
import { type JsonApi, jsonApi } from '../wire/json-api.ts';

const PUBLIC_URL = 'https://api.notion.com';
const VERSION = '2025-09-03';

/** Notion's API with one token. */
export function notionApi({ token = '' }: Credentials, tools: ProviderTools): JsonApi {
  return jsonApi(tools, {
    name: "Notion's API",
    base: tools.apiUrl ?? PUBLIC_URL,
    trusted: tools.apiUrl !== undefined,
    headers: { authorization: `Bearer ${token}`, 'notion-version': VERSION },
    credential: token,
    reason(body) {
      const message = readPointer(body, '/message');
      return typeof message === 'string' ? message : '';
    },
  });
}
