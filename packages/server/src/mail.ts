import type { Transporter } from 'nodemailer';
import type { ServerConfig } from './config/config.ts';
import { MailError } from './domain/faults/mail-error.ts';
import type { Logger } from './log/log.ts';
import { isLoopback } from './system/loopback.ts';
import { networkReason } from './system/network-reason.ts';
import { describeFailure } from './log/describe-failure.ts';

/** One email. */
export interface Mail {
  to: string;
  subject: string;
  /** The plain-text part. */
  text: string;
  /** Default: only the text. */
  html?: string;
  /** The URL that unsubscribes with one click (RFC 8058). */
  unsubscribe?: string;
}

/** Sends email over SMTP. Services do not call it: they enqueue emails, see `services/mail-job.ts`. */
export interface Mailer {
  /** False on a server without SMTP. */
  readonly sends: boolean;
  /** Sends an email once. The same `id` makes the same `Message-ID`. Throws `MailError`. */
  send(mail: Mail, id: string): Promise<void>;
  close(): void;
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
  const { host, hostname, password, searchParams } = new URL(smtpUrl);
  let transport: Transporter | undefined;
  const open = async (): Promise<Transporter> => {
    // Loaded for the first email: a server that sends none saves the memory of the client.
    const { createTransport } = await import('nodemailer');
    if (transport) return transport;
    transport = createTransport({
      url: smtpUrl,
      // Otherwise, an attacker in the network could hide that the mail server offers TLS, and read the password. The URL can turn this off:
      // nodemailer prefers its `requireTLS` to this option, but not its `ignoreTLS`, which is therefore read here.
      requireTLS: password !== '' && !isLoopback(hostname) && searchParams.get('ignoreTLS') !== 'true',
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 20_000,
    });
    // A pool of connections (`?pool=true`) emits this when one breaks between two emails, and replaces it.
    transport.on('error', (error) =>
      log.warn(describeFailure(mailError(error, host)), 'a connection to the mail server broke'),
    );
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
        throw mailError(error, host);
      }
    },
    close: () => transport?.close(),
  };
}

/** Keeps vacation notices and other automatic replies away (RFC 3834). */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

const unsubscribeHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** The codes under which nodemailer reports a refusal of the recipient or of the text. */
const REFUSALS: readonly unknown[] = ['EENVELOPE', 'EMESSAGE'];

/** The errors of nodemailer that have no cause of their own. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNECTION: 'it closed the connection, as a server that expects smtps:// does',
  EDNS: 'the host name does not resolve',
  ETLS: 'it does not speak TLS as it should',
  EPROTOCOL: 'it does not speak SMTP',
  EAUTH: 'it offers no login method that Hubline supports',
  ENOAUTH: 'it requires a user and a password',
};

function mailError(error: unknown, host: string): MailError {
  const { code, responseCode, command } = error as {
    code?: unknown;
    responseCode?: unknown;
    command?: unknown;
  };
  if (typeof responseCode === 'number') {
    const permanent = responseCode >= 500 && REFUSALS.includes(code);
    const cure =
      command === 'STARTTLS'
        ? ': it gets no password without TLS, unless HUBLINE_SMTP_URL ends in ?requireTLS=false'
        : '';
    return new MailError(`The mail server responded ${responseCode} to ${String(command)}${cure}`, {
      host,
      permanent,
    });
  }
  const reason = networkReason(error) ?? REASONS[String(code)] ?? 'unknown error';
  return new MailError(`The mail server of HUBLINE_SMTP_URL did not respond: ${reason}`, { host });
}
