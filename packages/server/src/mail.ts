import type { Transporter } from 'nodemailer';
import type { ServerConfig } from './config/config.ts';
import type { Logger } from './log/log.ts';
import { networkReason } from './system/network-reason.ts';

/** One email. */
export interface Mail {
  to: string;
  subject: string;
  /** The part that a terminal shows. */
  text: string;
  /** Default: only the text. */
  html?: string;
  /** The URL at which one click ends such mail (RFC 8058). */
  unsubscribe?: string;
}

/** The way to the mail server. Services enqueue mail instead: see `services/mail-job.ts`. */
export interface Mailer {
  /** False on a server without SMTP. */
  readonly sends: boolean;
  /** Sends an email once. The same `id` makes the same `Message-ID`. Throws `MailError`. */
  send(mail: Mail, id: string): Promise<void>;
  close(): void;
}

/** An email was not sent. The message quotes nothing of the mail server's answer, which may quote the mail. */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** The mail server refused this very mail: it would do so again. */
  readonly permanent: boolean;

  constructor(message: string, permanent = false) {
    super(message);
    this.permanent = permanent;
  }
}

/** Sends through `HUBLINE_SMTP_URL`. */
export function createMailer(config: Pick<ServerConfig, 'smtpUrl' | 'mailFrom'>, log: Logger): Mailer {
  const { smtpUrl } = config;
  if (smtpUrl === undefined) {
    return {
      sends: false,
      send: () =>
        Promise.reject(new MailError('No mail server is set: start the server with HUBLINE_SMTP_URL')),
      close: () => {},
    };
  }
  let transport: Transporter | undefined;
  const open = async (): Promise<Transporter> => {
    // With the first mail: the client takes memory that a server without mail need not have.
    const { createTransport } = await import('nodemailer');
    if (transport) return transport;
    transport = createTransport({
      url: smtpUrl,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 20_000,
    });
    // A pool of connections (`?pool=true`) emits this when one breaks between two mails, and replaces it.
    transport.on('error', (error) => log.warn({ err: error }, 'a connection to the mail server broke'));
    return transport;
  };
  const domain = /@([\w.-]+)/.exec(config.mailFrom)?.[1] ?? 'hubline';
  return {
    sends: true,
    async send({ unsubscribe, ...mail }, id) {
      const headers = { ...AUTOMATIC, ...(unsubscribe === undefined ? {} : unsubscribeHeaders(unsubscribe)) };
      try {
        const opened = await open();
        await opened.sendMail({ from: config.mailFrom, messageId: `<${id}@${domain}>`, headers, ...mail });
      } catch (error) {
        throw mailError(error);
      }
    },
    close: () => transport?.close(),
  };
}

/** Keeps vacation notices and other robots from answering (RFC 3834). */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

const unsubscribeHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** The codes under which nodemailer reports a refusal of the recipient or of the text. */
const REFUSALS: readonly unknown[] = ['EENVELOPE', 'EMESSAGE'];

function mailError(error: unknown): MailError {
  const { code, responseCode, command } = error as {
    code?: unknown;
    responseCode?: unknown;
    command?: unknown;
  };
  if (typeof responseCode === 'number') {
    const permanent = responseCode >= 500 && REFUSALS.includes(code);
    return new MailError(`The mail server answered ${responseCode} to ${String(command)}`, permanent);
  }
  const reason = networkReason(error) ?? (typeof code === 'string' ? code : 'unknown error');
  return new MailError(`The mail server of HUBLINE_SMTP_URL gave no answer: ${reason}`);
}
