import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Logger } from './log/log.ts';
import { createMailer } from './mail.ts';
import { describeFailure } from './log/describe-failure.ts';

const silent = () => {};
const log: Logger = { debug: silent, info: silent, warn: silent, error: silent };

it('loads the mail client again after loading it has failed once', async () => {
  onTestFinished(() => {
    vi.doUnmock('nodemailer');
  });
  vi.doMock('nodemailer', () => {
    throw new Error('too many open files');
  });
  const mailer = createMailer({ smtpUrl: 'smtp://127.0.0.1:1', mailFrom: 'hub@example.com' }, log);
  const send = () => mailer.send({ to: 'ana@example.com', subject: 'Hello', text: 'Hello' }, 'one');
  await expect(send()).rejects.toThrow('unknown error');
  vi.doUnmock('nodemailer');
  await expect(send()).rejects.toThrow(
    'The mail server of HUBLINE_SMTP_URL did not respond: nothing listens there',
  );
  mailer.close();
});

it.each<[string, string, (socket: Socket) => void, string]>([
  ['closes at once', 'smtp', (socket) => socket.end(), 'did not respond: it closed the connection, as'],
  [
    'speaks no SMTP',
    'smtp',
    (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    'it does not speak SMTP',
  ],
  [
    'speaks no TLS',
    'smtps',
    (socket) => socket.end('220 hub ESMTP\r\n'),
    'did not respond: it does not speak TLS',
  ],
  ['refuses everybody', 'smtp', (socket) => socket.end('554 no\r\n'), 'responded 554 to CONN'],
])('reports a mail server that %s in one sentence, without a stack', async (_, scheme, respond, told) => {
  const server = createServer((socket) => respond(socket.on('error', silent))).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const mailer = createMailer({ smtpUrl: `${scheme}://${host}`, mailFrom: 'hub@example.com' }, log);
  onTestFinished(mailer.close);
  const failed = mailer.send({ to: 'ana@example.com', subject: 'Hello', text: 'Hello' }, 'one');
  const error: unknown = await failed.catch((refused: unknown) => refused);
  expect(describeFailure(error)).toEqual({ reason: expect.stringContaining(told) });
  expect(describeFailure(error)).toEqual({ reason: expect.stringContaining(`(${host})`) });
  expect(String(error)).not.toContain(host);
});

// 0.0.0.0 leads to this machine, too, and does not count as it.
it.skipIf(process.platform === 'win32').each<[string, string, string[]]>([
  ['0.0.0.0', '', []],
  ['0.0.0.0', '?requireTLS=false', ['hunter2']],
  ['0.0.0.0', '?ignoreTLS=true', ['hunter2']],
  ['127.0.0.1', '', ['hunter2']],
])('sends a password without TLS to %s%s: %j', async (host, query, expected) => {
  const seen: unknown[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ password }, _, done) {
      seen.push(password);
      done(null, { user: 'hub' });
    },
  });
  await once(server.listen(0, '0.0.0.0'), 'listening');
  onTestFinished(() => server.close(() => {}));
  const { port } = server.server.address() as AddressInfo;
  const smtpUrl = `smtp://hub:hunter2@${host}:${port}${query}`;
  const mailer = createMailer({ smtpUrl, mailFrom: 'hub@example.com' }, log);
  onTestFinished(mailer.close);
  const failed = mailer.send({ to: 'ana@example.com', subject: 'Hello', text: 'Hello' }, 'one');
  const told = await failed.catch((error: Error) => error.message);
  expect(seen).toEqual(expected);
  expect(told).toEqual(expected.length > 0 ? undefined : expect.stringContaining('?requireTLS=false'));
});

it('reports that the name of the mail server does not resolve', async () => {
  const mailer = createMailer({ smtpUrl: 'smtp://mail.invalid', mailFrom: 'hub@example.com' }, log);
  onTestFinished(mailer.close);
  const failed = mailer.send({ to: 'ana@example.com', subject: 'Hello', text: 'Hello' }, 'one');
  await expect(failed).rejects.toThrow(/The mail server of HUBLINE_SMTP_URL did not respond: the host name /);
});
