import { expect, it } from 'vitest';
import { htmlMail, textMail } from './email.ts';

const FOOTER = {
  rule: 'Deploys' as string | null,
  workspace: 'Acme',
  unsubscribe: 'https://hub.test/u?id=1&key=2',
};
const CONTENT = { subject: 'Hi', text: 'Hi', html: null };
const START = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>';
const STYLE = 'font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:0 auto;padding:1rem';
const htmlOf = ({ subject, body, reason }: { subject: string; body: string; reason: string }) =>
  `${START}${subject}</title></head><body style="${STYLE}">${body}<hr><p style="font-size:14px">${reason} <a href="https://hub.test/u?id=1&amp;key=2">Unsubscribe</a></p></body></html>`;
const REASON = 'You get this email because of the rule &quot;Deploys&quot; in Acme.';
const PLAIN = { subject: 'Hi', body: '<p>Hi</p>', reason: REASON };
const hidden = '\u2060';

it.each<[string, Partial<Parameters<typeof htmlMail>[0]>, Partial<typeof FOOTER>, Partial<typeof PLAIN>]>([
  ['a text', {}, {}, {}],
  [
    'a subject with marks',
    { subject: '<b> & "it\'s"' },
    {},
    { subject: '&lt;b&gt; &amp; &quot;it&#39;s&quot;' },
  ],
  ['a text with marks', { text: '<script>&' }, {}, { body: '<p>&lt;script&gt;&amp;</p>' }],
  ['lines', { text: 'one\ntwo\n\n' }, {}, { body: '<p>one<br>\ntwo</p>' }],
  [
    'a link',
    { text: 'see https://a.test/?b=1&c=2 <now>' },
    {},
    {
      body: '<p>see <a href="https://a.test/?b=1&amp;c=2">https://a.test/?b=1&amp;c=2</a> &lt;now&gt;</p>',
    },
  ],
  [
    'a link in brackets, one in quotes, and one at the end of a sentence',
    { text: '(http://a.test/) "https://b.test/", https://c.test/d.e.' },
    {},
    {
      body: '<p>(<a href="http://a.test/">http://a.test/</a>) &quot;<a href="https://b.test/">https://b.test/</a>&quot;, <a href="https://c.test/d.e">https://c.test/d.e</a>.</p>',
    },
  ],
  ['no link of another scheme', { text: 'ftp://a.test' }, {}, { body: '<p>ftp://a.test</p>' }],
  ['HTML, which was made safe before', { html: '<b>Hi</b>' }, {}, { body: '<b>Hi</b>' }],
  [
    'the name of a rule with marks',
    {},
    { rule: '<b>' },
    { reason: 'You get this email because of the rule &quot;&lt;b&gt;&quot; in Acme.' },
  ],
  [
    'no rule where the built-in one sent it',
    {},
    { rule: null },
    { reason: 'You get this email because you are an owner or an admin of Acme.' },
  ],
  [
    'the name of a workspace with marks',
    {},
    { workspace: 'A & "B"' },
    { reason: 'You get this email because of the rule &quot;Deploys&quot; in A &amp; &quot;B&quot;.' },
  ],
  [
    'names that look like addresses',
    {},
    { rule: 'https://evil.test', workspace: 'a@b.test' },
    {
      reason: `You get this email because of the rule &quot;https:${hidden}/${hidden}/${hidden}evil.${hidden}test&quot; in a@${hidden}b.${hidden}test.`,
    },
  ],
])('the HTML of an email has %s', (_, content, footer, expected) => {
  expect(htmlMail({ ...CONTENT, ...content }, { ...FOOTER, ...footer })).toBe(
    htmlOf({ ...PLAIN, ...expected }),
  );
});

it.each([
  ['Hi', 'Deploys', 'Acme', 'Hi\n\n-- \nYou get this email because of the rule "Deploys" in Acme.'],
  [
    'one\ntwo \n\n',
    '<b>',
    'A & B',
    'one\ntwo\n\n-- \nYou get this email because of the rule "<b>" in A & B.',
  ],
  ['', 'Deploys', 'a.test', `\n\n-- \nYou get this email because of the rule "Deploys" in a.${hidden}test.`],
])('the text %j for %s in %s ends with the reason, and a way to stop it', (text, rule, workspace, mail) => {
  expect(textMail({ text }, { ...FOOTER, rule, workspace })).toBe(
    `${mail}\nUnsubscribe: https://hub.test/u?id=1&key=2\n`,
  );
});
