import { z } from 'zod';
import type { Context } from '../context.ts';
import type { Tx } from '../db/core/schema.ts';
import { MailError } from '../domain/faults/mail-error.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { defineJob, PermanentFailure } from '../jobs/job-kind.ts';
import type { Mail } from '../mail.ts';

/** Sends an email. Sealed: the text may hold a link that is a secret. */
export const mailJob = defineJob({
  name: 'mail',
  payload: z.object({ to: z.string(), subject: z.string(), text: z.string() }),
  sealed: true,
  concurrency: 4,
  async run({ mail }, payload, { id }) {
    try {
      await mail.send(payload, id);
    } catch (error) {
      throw error instanceof MailError && error.permanent
        ? new PermanentFailure(error.message, { cause: error })
        : error;
    }
  },
});

/** Sends an email after the commit. A server without SMTP sends none. `key` says what the mail is about, and to whom. */
export async function enqueueMail(
  tx: Tx,
  context: Pick<Context, 'mail'> & Parameters<typeof enqueue>[1],
  { key, ...payload }: Mail & { key: string },
): Promise<void> {
  if (context.mail.sends) await enqueue(tx, context, { kind: mailJob, key, payload });
}
