import { APIError, type ErrorDetail } from '@hubline/sdk';
import { DASHBOARD_HEADER } from './client.ts';

interface ErrorBody {
  readonly error?: {
    readonly code?: string;
    readonly message?: string;
    readonly details?: readonly ErrorDetail[];
    readonly request_id?: string;
  };
}

/**
 * A request beside `/v1`: sessions belong to the page, not to the API, so the SDK has no method for them. Its errors are the
 * SDK's. It is sent once: trying a wrong password again would only use up the attempts that are left.
 */
export async function sessionRequest(method: 'POST' | 'DELETE', path: string, body?: object): Promise<void> {
  const response = await fetch(path, {
    method,
    credentials: 'same-origin',
    headers: { ...DASHBOARD_HEADER, accept: 'application/json', 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (response.ok) return;
  const { error = {} } = (await response.json().catch(() => ({}))) as ErrorBody;
  const serverMessage = error.message ?? null;
  throw new APIError(serverMessage ?? `${method} ${path} answered ${response.status}.`, {
    status: response.status,
    code: error.code ?? 'unexpected_status',
    serverMessage,
    details: error.details ?? [],
    requestId: error.request_id ?? null,
    retryAfter: Number(response.headers.get('retry-after')) || null,
    rateLimit: null,
  });
}
