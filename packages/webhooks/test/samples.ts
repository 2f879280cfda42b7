import { signDelivery } from '../src/index.ts';

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
export const OTHER_SECRET = 'another-secret';

export const ENVELOPE = {
  id: 'dlv_01',
  type: 'event.created',
  created_at: '2026-01-02T03:04:05.000Z',
  workspace_id: 'ws_01',
  data: { event_type: 'push' },
  event: { id: 'evt_01', timestamp: '2026-01-02T03:04:05.000Z' },
};
export const BODY = JSON.stringify(ENVELOPE);

/** The parts of a correctly signed call. `at` is the time of the attempt, in Unix seconds. */
export async function signed(
  body: string | Uint8Array = BODY,
  { secret = SECRET, at = Math.floor(Date.now() / 1000) }: { secret?: string; at?: number } = {},
): Promise<{ body: string | Uint8Array; headers: Record<string, string> }> {
  return { body, headers: await signDelivery({ id: 'dlv_01', timestamp: at, body, secrets: [secret] }) };
}

/** The same headers without some, as if a proxy, or somebody who replays a call, had removed them. */
export function without(headers: Record<string, string>, ...names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

export const STANDARD_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
