import type { Integration as Schema } from '@hubline/contract';
import type { z } from 'zod';

type Integration = z.output<typeof Schema>;
type StatusDetail = NonNullable<Integration['status_detail']>;

/** The reason why the status of an integration is `error`. */
export interface Problem extends StatusDetail {
  code: 'credentials_refused' | 'destination_refused' | 'credentials_unreadable' | 'webhook_ended';
}

/** Reports whether calls of the provider may have been lost, or could not be asked for, while a problem lasted. */
export const mayHaveLost = (problem: Problem | null): boolean =>
  problem !== null && problem.code !== 'destination_refused';

/** A call that did not prove that it came from the provider. */
export interface RefusedCall {
  at: string;
  reason: string;
}

/** The stored findings from which the status of an integration follows. */
export interface IntegrationState {
  status: 'connected' | 'disconnected';
  problem: Problem | null;
  /** False if the provider never calls us, because only messages are sent to it. */
  receives: boolean;
  /** True if the webhook is registered at the provider. */
  registered: boolean;
  /** True if it is being registered in the background. */
  registering: boolean;
  /** The reason why the provider did not register it. */
  refusal: string | null;
  /** The time of the first authentic call since the last change of its webhook or secret. */
  verifiedAt: string | null;
  /** The last refused call, as long as no call was authentic. */
  refusedCall: RefusedCall | null;
  connectedAt: string;
}

/** The status that people see, and the reason if it is not simply `connected`. `provider`: its name for people. */
export function shownStatus(
  state: IntegrationState,
  provider: string,
): Pick<Integration, 'status' | 'status_detail'> {
  const { status, problem, verifiedAt, connectedAt: since } = state;
  if (problem) return { status: 'error', status_detail: problem };
  if (status === 'disconnected') {
    const message = `${provider} has no credentials yet. Reconnect the integration with credentials, or set up its webhook as the instructions say.`;
    return { status, status_detail: { code: 'awaiting_credentials', message, since } };
  }
  if (verifiedAt !== null || !state.receives) return { status, status_detail: null };
  return { status, status_detail: { code: 'awaiting_hook', message: awaited(state, provider), since } };
}

function awaited(
  { registered, registering, refusal, refusedCall }: IntegrationState,
  provider: string,
): string {
  if (refusedCall !== null)
    return `A call arrived at ${refusedCall.at} and was refused: ${refusedCall.reason}. Compare the secret at ${provider} with the one here, or reconnect the integration with the right one.`;
  if (refusal !== null)
    return `${provider} did not register the webhook: ${refusal}. Set it up there by hand.`;
  if (registering) return `The webhook is being registered at ${provider}. This takes a few seconds.`;
  return registered
    ? `The webhook is registered at ${provider}. Its first call has not arrived yet.`
    : `No call from ${provider} has arrived yet. Set up the webhook there.`;
}

/** A finding about an integration: the result of a call of its provider, or to it. It can change the status. */
export type IntegrationFinding =
  | {
      kind: 'notified' | 'synced' | 'opened' | 'unreadable' | 'channel_changed' | 'reconnected' | 'pinged';
    }
  | { kind: 'webhook_ended'; reason: string }
  | { kind: 'refused'; what: 'credentials' | 'destination'; reason: string };

/** The findings that prove that a problem is over. Arriving calls prove nothing about the token or the channel. */
const CURES: Record<Problem['code'], readonly IntegrationFinding['kind'][]> = {
  credentials_refused: ['notified', 'synced', 'reconnected'],
  destination_refused: ['notified', 'reconnected', 'channel_changed'],
  credentials_unreadable: ['opened', 'notified', 'synced', 'reconnected'],
  // A new webhook sends a ping. Other calls may come from the one that has ended.
  webhook_ended: ['pinged', 'reconnected'],
};

/** The problem after a finding; the same object when nothing changes. `provider`: its name for people. */
export function nextProblem(
  problem: Problem | null,
  finding: IntegrationFinding,
  { provider, now }: { provider: string; now: string },
): Problem | null {
  const found = foundBy(finding, provider);
  if (!found) return problem !== null && CURES[problem.code].includes(finding.kind) ? null : problem;
  if (problem?.code !== found.code) return { ...found, since: now };
  return problem.message === found.message ? problem : { ...problem, ...found };
}

function foundBy(finding: IntegrationFinding, provider: string): Pick<Problem, 'code' | 'message'> | null {
  if (finding.kind === 'unreadable') {
    const message =
      'The stored credentials can no longer be decrypted. Reconnect the integration with new ones; until then its calls are refused, and the provider should send them again.';
    return { code: 'credentials_unreadable', message };
  }
  if (finding.kind === 'webhook_ended') {
    const message = `The webhook at ${provider} has ended: ${finding.reason}. No more events arrive. Reconnect the integration to register it again.`;
    return { code: 'webhook_ended', message };
  }
  if (finding.kind !== 'refused') return null;
  return finding.what === 'credentials'
    ? {
        code: 'credentials_refused',
        message: `${provider} refused the credentials: ${finding.reason}. Reconnect the integration with new ones.`,
      }
    : {
        code: 'destination_refused',
        message: `A notification was not accepted: ${finding.reason}. Correct the channel or the URL, and send a test.`,
      };
}
