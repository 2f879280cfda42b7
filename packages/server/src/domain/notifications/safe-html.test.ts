import { expect, it } from 'vitest';
import { safeHtml } from './safe-html.ts';

it.each([
  '<a href="javascript:alert(1)">x</a>',
  "<a class=b HREF='JavaScript:alert(1)'>x</a>",
  '<a href=javascript:alert(1)>x</a>',
  '<a href="java&#115;cript:alert(1)">x</a>',
  '<a href="javascript&colon;alert(1)">x</a>',
  '<a href="\tjava\nscript:alert(1)">x</a>',
  '<img src="data:text/html,x">',
  '<a title="a"href="vbscript:x">x</a>',
  '<a title=">" href="vbscript:x">x</a>',
])('%s leads nowhere', (html) => {
  expect(safeHtml(html)).toMatch(/(?:href|src)\s*=\s*"#"/i);
  expect(safeHtml(html)).not.toMatch(/script|data:/i);
});

it.each([
  '<a href="https://example.com/a?b=c:d&amp;e">x</a>',
  "<a href='mailto:a@example.com'>javascript: is a word</a>",
  '<a href=" \t\nhttps://example.com">x</a>',
  '<a href="/runs/1:2">x</a> <a href="#top">y</a> <a href="page">z</a>',
])('%s stays', (html) => expect(safeHtml(html)).toBe(html));

it('runs and loads nothing', () => {
  expect(safeHtml('<script>alert(1)</script><p onclick="x()">t</p>')).toBe(
    '&lt;script>alert(1)&lt;/script><p data-off="x()">t</p>',
  );
});

it.each([
  ['<p onclick=alert(1)>', '<p data-off=alert(1)>'],
  ['<p title=">" ONCLICK = alert(1)>', '<p title=">" data-off= alert(1)>'],
  ['<svg/onload=alert(1)>', '<svg/data-off=alert(1)>'],
  ['<p>once = 1 and on=2</p>', '<p>once = 1 and on=2</p>'],
])('%s becomes %s', (html, safe) => expect(safeHtml(html)).toBe(safe));

it('judges addresses that begin with 65,000 spaces', () => {
  const html = `<a href="${' '.repeat(65_000)}&amp;">x</a>`.repeat(20);
  expect(safeHtml(html)).toBe('<a href="#">x</a>'.repeat(20));
});
