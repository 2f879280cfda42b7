import { expect, it } from 'vitest';
import { judgeMails, type MailEvidence } from './judge-mails.ts';

const KILL = 10_000;
const mail = (n: number, messageId = `<${n}>`, at = KILL) => ({
  to: `invited-${n}@example.com`,
  messageId,
  at,
});
const judged = (evidence: Partial<MailEvidence>) =>
  judgeMails({
    invited: [{ email: 'invited-0@example.com' }],
    asked: 1,
    mailed: [mail(0)],
    left: [],
    kills: [KILL],
    ...evidence,
  });

it('one email for each invitation is right, and one more for a kill', () => {
  expect(judged({})).toEqual([]);
  expect(judged({ mailed: [mail(0), mail(0)] })).toEqual([]);
});

it.each<[string, Partial<MailEvidence>]>([
  ['the email to invited-0@example.com is lost', { mailed: [] }],
  ['the email to invited-0@example.com was stored as 2 jobs', { mailed: [mail(0), mail(0, '<other>')] }],
  [
    'the email to invited-0@example.com was repeated 2 times within 1 kills',
    { mailed: [mail(0), mail(0), mail(0)] },
  ],
  ['nobody wanted an email to invited-7@example.com', { mailed: [mail(0), mail(7)] }],
  ['the job mail inv_1 is left: timeout', { left: [{ kind: 'mail', key: 'inv_1', last_error: 'timeout' }] }],
])('notices that %s', (says, evidence) => {
  expect(judged(evidence)).toEqual([says]);
});
