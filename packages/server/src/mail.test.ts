import { expect, it, onTestFinished, vi } from 'vitest';
import type { Logger } from './log/log.ts';
import { createMailer } from './mail.ts';

const silent = () => {};
const log: Logger = { debug: silent, info: silent, warn: silent, error: silent };

it('loads the mail client again after that failed once', async () => {
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
  await expect(send()).rejects.toThrow('HUBLINE_SMTP_URL gave no answer: nothing listens there');
  mailer.close();
});
