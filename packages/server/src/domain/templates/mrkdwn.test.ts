import { expect, it } from 'vitest';
import { ESCAPES } from './escaping.ts';
import { toMrkdwn } from './mrkdwn.ts';

it.each([
  ['**bold** and *italic* and _italic_', '*bold* and _italic_ and _italic_'],
  ['~~old~~ `a < b`', '~old~ `a &lt; b`'],
  ['[docs](https://example.com/a?b=1&c=2)', '<https://example.com/a?b=1&amp;c=2|docs>'],
  ['# Deploy **now**', '*Deploy now*'],
  ['# Release of C#\n## Notes ##  ', '*Release of C#*\n*Notes*'],
  ['- one\n  - two', '• one\n  • two'],
  ['<!channel> & <https://evil.example|ok>', '&lt;!channel&gt; &amp; &lt;https://evil.example|ok&gt;'],
  ['snake_case_name and 2*3*4', 'snake_case_name and 2*3*4'],
])('%s', (markdown, mrkdwn) => expect(toMrkdwn(markdown)).toBe(mrkdwn));

it('shows an escaped value as it is', () => {
  const value = ESCAPES.markdown('*not bold* <!here> [x](https://evil.example)');
  expect(toMrkdwn(value).replaceAll('\u200B', '')).toBe('*not bold* &lt;!here&gt; [x](https://evil.example)');
});

it('handles a line of 65,000 marks', () => {
  for (const mark of ['*', '_', '[', '`', '~', '**a', '\\'])
    expect(toMrkdwn(mark.repeat(65_000)).length).toBeGreaterThan(0);
});

it('handles headings of 65,000 characters that could end anywhere', () => {
  for (const mark of [' ', '#', ' #'])
    expect(toMrkdwn(`# a${mark.repeat(65_000)}x\n`.repeat(10)).length).toBeGreaterThan(0);
});
