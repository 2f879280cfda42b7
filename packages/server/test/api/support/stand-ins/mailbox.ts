import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A mail server that keeps the mails it receives. */
export interface Mailbox extends AsyncDisposable {
  /** For `HUBLINE_SMTP_URL`. */
  url: string;
  mails: ReceivedMail[];
}

export interface ReceivedMail {
  to: string[];
  text: string;
  messageId: string;
}

/**
 * Starts one on the loopback. It speaks as much SMTP as is needed to hand over an email, and refuses recipients named
 * `nobody`. It waits for `keep` before it confirms an email.
 */
export async function startMailbox(
  port = 0,
  keep: (mail: ReceivedMail) => Promise<void> = () => Promise.resolve(),
): Promise<Mailbox> {
  const mails: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.write('220 mailbox\r\n');
    let to: string[] = [];
    let text: string | null = null;
    let buffer = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      buffer += chunk;
      for (let end = buffer.indexOf('\r\n'); end !== -1; end = buffer.indexOf('\r\n')) {
        const line = buffer.slice(0, end);
        buffer = buffer.slice(end + 2);
        if (text !== null) {
          if (line !== '.') {
            text += `${line}\n`;
            continue;
          }
          const messageId = /^Message-ID: (.*)$/im.exec(text)?.[1] ?? '';
          const mail = { to, text, messageId };
          mails.push(mail);
          to = [];
          text = null;
          void keep(mail).then(() => socket.write('250 ok\r\n'));
          continue;
        }
        const recipient = /^RCPT TO:<(.*)>/i.exec(line)?.[1];
        if (recipient?.startsWith('nobody')) {
          socket.write(`550 5.1.1 ${recipient} is unknown here\r\n`);
          continue;
        }
        if (recipient !== undefined) to.push(recipient);
        if (/^DATA/i.test(line)) text = '';
        socket.write(text === '' ? '354 go on\r\n' : /^QUIT/i.test(line) ? '221 bye\r\n' : '250 ok\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
