import { readPointer } from '../../domain/json/json-pointer.ts';
import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import type { OutboundRequest } from '../../outbound/outbound.ts';
import { type ApiAnswer, callApi, ownReason } from '../wire/call-api.ts';
import type { Credentials, ProviderTools } from '../provider.ts';

const NAME = "Notion's API";
const PUBLIC_URL = 'https://api.notion.com';
const VERSION = '2025-09-03';

/** An answer of Notion. */
export interface NotionAnswer extends Pick<ApiAnswer, 'status' | 'body'> {
  /** Notion's own reason, or why it was not asked. One line, without the token. */
  message: string;
}

interface NotionRequest {
  method: OutboundRequest['method'];
  path: string;
  body?: object;
}

/** Calls Notion's API with the token. Throws `ProviderUnavailable` for what is no answer of Notion's own. */
export async function callNotion(
  { token = '' }: Credentials,
  tools: ProviderTools,
  { method, path, body }: NotionRequest,
): Promise<NotionAnswer> {
  const { status, ...answer } = await callApi(tools, NAME, {
    method,
    url: (tools.apiUrl ?? PUBLIC_URL).replace(/\/+$/, '') + path,
    headers: {
      authorization: `Bearer ${token}`,
      'notion-version': VERSION,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    ...(tools.apiUrl === undefined ? {} : { trusted: true }),
  });
  // Two writes at once: the next try works.
  if (status === 409) throw new ProviderUnavailable(`${NAME} answered 409`);
  const message = readPointer(answer.body, '/message');
  const reason = typeof message === 'string' ? ownReason(message, token) : '';
  return { status, body: answer.body, message: status === 0 ? 'blocked address' : reason };
}
