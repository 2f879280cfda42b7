import { emailOf, type Invited } from '../clients/inviter.ts';

/** An email that the mail server has accepted. */
export interface Mailed {
  at: number;
  to: string;
  messageId: string;
}

/** The evidence about the emails of invitations: each is a job that a request has enqueued. */
export interface MailEvidence {
  invited: readonly Invited[];
  /** The number of people invited. */
  asked: number;
  mailed: readonly Mailed[];
  /** The jobs that are left although the last server had time for all of them. */
  left: readonly { kind: string; key: string; last_error: string | null }[];
  /** The times of the kills, in milliseconds since the epoch. */
  kills: readonly number[];
}

// The mail server may read from its socket for some time after the sender's death.
const LATE_MS = 1_000;

/** Checks that every acknowledged invitation has its email, none is stored twice, and only a kill repeats an email. */
export function judgeMails({ invited, asked, mailed, left, kills }: MailEvidence): string[] {
  const violations: string[] = [];
  const mailsTo = Map.groupBy(mailed, ({ to }) => to);
  for (const { email } of invited) if (!mailsTo.has(email)) violations.push(`the email to ${email} is lost`);
  const wanted = new Set(Array.from({ length: asked }, (_, n) => emailOf(n)));
  for (const [to, mails] of mailsTo) {
    if (!wanted.has(to)) violations.push(`nobody wanted an email to ${to}`);
    const jobs = new Set(mails.map(({ messageId }) => messageId)).size;
    if (jobs > 1) violations.push(`the email to ${to} was stored as ${jobs} jobs`);
    const first = Math.min(...mails.map(({ at }) => at)) - LATE_MS;
    const explained = kills.filter((at) => at >= first).length;
    if (mails.length - 1 > explained)
      violations.push(`the email to ${to} was repeated ${mails.length - 1} times within ${explained} kills`);
  }
  for (const { kind, key, last_error: error } of left)
    violations.push(`the job ${kind} ${key} is left: ${error ?? 'it never failed'}`);
  return violations;
}
