import { expect, it } from 'vitest';
import { type Escaping, ESCAPES, plainMarkdown } from './escaping.ts';

it.each<[Escaping, string, string]>([
  ['none', '<a href="x">\'&\' *b*\n# c', '<a href="x">\'&\' *b*\n# c'],
  ['mrkdwn', '<!channel> & "it\'s" *b*', '&lt;!channel&gt; &amp; "it\'s" *b*'],
  ['mrkdwn', '&lt;', '&amp;lt;'],
  ['html', '<b title="x">', '&lt;b title=&quot;x&quot;&gt;'],
  ['html', "it's & 'b'", 'it&#39;s &amp; &#39;b&#39;'],
  ['html', '&amp;', '&amp;amp;'],
  ['markdown', 'one\n# two\t- three', String.raw`one \# two \- three`],
  ['markdown', '\\`*_{}[]()<>#+-!|~&', String.raw`\\\`\*\_\{\}\[\]\(\)\<\>\#\+\-\!\|\~\&`],
  ['markdown', 'a.b: "c", \'d\'?', 'a.b: "c", \'d\'?'],
  ['markdown', '@all, ana@example.com', '@\u200Ball, ana@example.com'],
  ['markdown', '/close it', String.raw`\/close it`],
  ['inert', '@all *now* [x](y)', '@\u200Ball *now* [x](y)'],
  ['inert', '/close\n/usr/bin\n/merge now', '/\u200Bclose\n/usr/bin\n/\u200Bmerge now'],
])('as %s, %j is %j', (escaping, value, written) => {
  expect(ESCAPES[escaping](value)).toBe(written);
});

it.each([
  [
    '[log in](https://x.example) ![](https://x.example/a.png)',
    '[log in]_(https://x.example) ![]_(https://x.example/a.png)',
  ],
  ['[a][b]\n[b]: https://x.example', '[a]_[b]\n[b]_: https://x.example'],
  ['<img src="https://x.example"></a><!-- x -->', '<_img src="https://x.example"><_/a><_!-- x -->'],
  ['@all\n/close', '@_all\n/_close'],
  ['*1* < 2 [high] https://x.example/a_b', '*1* < 2 [high] https://x.example/a_b'],
])('as a plain text in Markdown, %j is %j, with invisible spaces', (text, written) => {
  expect(plainMarkdown(text)).toBe(written.replaceAll(/(?<=[\]<@/])_/g, '\u200B'));
});
