import { createTransport } from 'nodemailer';
import type { ServerConfig } from './config.ts';
import type { Logger } from './log.ts';

/** One e-mail, as plain text. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Sends e-mail in the background: a mail server that is down must not fail the request that caused the mail. */
export interface Mailer {
  /** False on a server without SMTP. */
  readonly sends: boolean;
  send(mail: Mail): void;
  /** Waits for mails under way. */
  close(): Promise<void>;
}

/** Sends through `HUBLINE_SMTP_URL`; without one, mails are dropped with a line in the log. */
export function createMailer(config: Pick<ServerConfig, 'smtpUrl' | 'mailFrom'>, log: Logger): Mailer {
  if (config.smtpUrl === undefined) {
    return {
      sends: false,
      send: ({ subject }) => log.debug({ subject }, 'no e-mail was sent: HUBLINE_SMTP_URL is not set'),
      close: () => Promise.resolve(),
    };
  }
  const transport = createTransport({
    url: config.smtpUrl,
    connectionTimeout: 10_000,
    socketTimeout: 20_000,
  });
  // Of a pool of connections (`?pool=true`), when one breaks between two mails: it is replaced.
  transport.on('error', (error) => log.warn({ err: error }, 'a connection to the mail server broke'));
  const underWay = new Set<Promise<unknown>>();
  return {
    sends: true,
    send(mail) {
      const sending = transport
        .sendMail({ from: config.mailFrom, ...mail })
        .catch((error: unknown) =>
          log.warn({ err: error, subject: mail.subject }, 'an e-mail could not be sent'),
        )
        .finally(() => underWay.delete(sending));
      underWay.add(sending);
    },
    async close() {
      await Promise.allSettled(underWay);
      transport.close();
    },
  };
}
