import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** An email as it came over SMTP. */
interface InboxMail {
  from: string;
  to: string[];
  raw: string;
  /** A header, unfolded. */
  header(name: string): string;
}

/**
 * A real SMTP server that keeps what it gets. Recipients named `nobody` are refused permanently, and `later`
 * temporarily.
 */
export async function startSmtpInbox() {
  const mails: InboxMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _, done) {
      if (address.startsWith('nobody')) done(Object.assign(new Error('unknown'), { responseCode: 550 }));
      else if (address.startsWith('later'))
        done(Object.assign(new Error('greylisted'), { responseCode: 450 }));
      else done();
    },
    onData(stream, { envelope }, done) {
      const keep = async (): Promise<void> => {
        const raw = await text(stream);
        const unfolded = raw.replaceAll(/\r\n[ \t]+/g, ' ');
        mails.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          raw,
          header: (name) => new RegExp(`^${name}: (.*)$`, 'im').exec(unfolded)?.[1]?.trim() ?? '',
        });
        done();
      };
      void keep();
    },
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
