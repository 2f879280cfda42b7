import { z } from 'zod';
import type { Context } from '../context.ts';
import type { Tx } from '../db/core/schema.ts';
import { hasInvitation } from '../db/identity/invitations.ts';
import { MailError } from '../domain/faults/mail-error.ts';
import { cancel, enqueue } from '../jobs/enqueue.ts';
import { defineJob, PermanentFailure } from '../jobs/job-kind.ts';
import type { Mail } from '../mail.ts';

/** Shortens an address for an error message: it can be told from others, but no log has the whole address. */
const masked = (address: string) => address.replace(/^(.).*@/su, '$1…@');

/**
 * Sends an email. Sealed: the text may hold a link that is a secret. An error names only the kind of email and a masked
 * address.
 */
export const mailJob = defineJob({
  name: 'mail',
  // Older versions stored no `what`.
  payload: z.object({
    what: z.string().default('email'),
    invitation: z.object({ workspace_id: z.string(), id: z.string() }).optional(),
    to: z.string(),
    subject: z.string(),
    text: z.string(),
  }),
  sealed: true,
  concurrency: 4,
  async run({ mail, store }, { what, invitation, ...payload }, { id }) {
    // The invitation may have been used or withdrawn while the mail server was down: its link is dead.
    if (invitation && !(await hasInvitation(store.read, invitation.workspace_id, invitation.id))) return;
    try {
      await mail.send(payload, id);
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      const { permanent, host } = error;
      const named = new MailError(`The ${what} to ${masked(payload.to)}: ${error.message}`, {
        permanent,
        host,
      });
      throw permanent ? new PermanentFailure(named.message, { cause: named }) : named;
    }
  },
});

interface Invitation {
  readonly workspace_id: string;
  readonly id: string;
}

/**
 * Sends an email after the commit. A server without SMTP sends none. `key` identifies the subject and the recipient;
 * `what` is the kind of email, such as `invitation`. With `invitation`, it is sent only while that is open.
 */
export async function enqueueMail(
  tx: Tx,
  context: Pick<Context, 'mail'> & Parameters<typeof enqueue>[1],
  { key, ...payload }: Mail & { key: string; what: string; invitation?: Invitation },
): Promise<void> {
  if (context.mail.sends) await enqueue(tx, context, { kind: mailJob, key, payload });
}

/** Drops the emails of invitations that are no longer open, also those that could not be sent. */
export async function dropInvitationMails(tx: Tx, invitations: readonly string[]): Promise<void> {
  for (const key of invitations) await cancel(tx, { kind: mailJob, key });
}
