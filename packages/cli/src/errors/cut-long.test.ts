import { expect, it } from 'vitest';
import { runCli } from '../test/run-cli.ts';
import { cutLong } from './cut-long.ts';

const LONG = 'x'.repeat(10_000);
const WORDS = `it's "a" long 'line' `.repeat(1_000);

it.each([LONG, WORDS])('errors repeat no more than the beginning of what was typed', async (text) => {
  for (const line of [
    [text],
    ['event', 'list', `--${text}`],
    ['event', 'list', `--since=${text}`],
    ['event', 'list', `--json=${text}`],
    ['event', 'publish', '--type=x', `--payload=@${text}`],
    ['open', text],
    ['config', 'set', text, 'x'],
    ['provider', 'presets', text],
    ['replay', '-', `--to=${text}`],
  ]) {
    const { code, err } = await runCli(line, { env: { HUBLINE_API_KEY: 'hl_test' } });
    expect(code).toBe(2);
    expect(err).toContain('…');
    expect(err.length).toBeLessThan(2_500);
  }
});

it.each([
  `There is no setting "${'y'.repeat(300)}".`,
  'The server’s key isn’t its user’s. '.repeat(20),
  "The server's key isn't its user's. ".repeat(20),
  `/${'directory/'.repeat(40)} cannot be read.`,
  `The server has ended. Its log ends with:\n{"reason":"${'x'.repeat(1_000)}"}`,
])('what people write is left as it is: %s', (message) => {
  expect(cutLong(message)).toBe(message);
});

it('the cure at the end of a long message stays', () => {
  const message = `There are several of this name: ${'aut_01hxyz, '.repeat(300)}so name one by its ID.`;
  expect(cutLong(message)).toMatch(/^There are several of this name: .* … .*, so name one by its ID\.$/);
});

it('a quote keeps its marks', () => {
  expect(cutLong(`Not "${LONG}", nor '${'w '.repeat(200)}'.`)).toBe(
    `Not "${'x'.repeat(300)}…", nor '${'w '.repeat(150)}…'.`,
  );
});
