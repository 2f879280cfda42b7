import { expect, it } from 'vitest';
import { type Escaping, ESCAPES } from './escaping.ts';

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
])('as %s, %j is %j', (escaping, value, written) => {
  expect(ESCAPES[escaping](value)).toBe(written);
});
