import { expect, it } from 'vitest';
import { shortTypeErrors } from './short-type-errors.ts';

const LONG = '{ id: string; } | '.repeat(500);

it('an error keeps its file, line and message, and the end of a type that does not fit', () => {
  const error = `a.ts(17,14): error TS2741: Property 'x' is missing in type '${LONG}' but required in type 'Y'.`;
  const short = shortTypeErrors(error);
  expect(short).toMatch(
    /^a\.ts\(17,14\): error TS2741: Property 'x' is missing in type .* … .* but required in type 'Y'\.$/,
  );
  expect(short.length).toBeLessThan(250);
});

it('of the lines below an error the last ones stay, which say what does not fit', () => {
  const error = [
    'b.ts(1,2): error TS2322: No overload.',
    '  one',
    `    ${LONG}`,
    '      three',
    '        four',
  ];
  expect(shortTypeErrors(error.join('\n')).split('\n')).toEqual([
    'b.ts(1,2): error TS2322: No overload.',
    '  … 2 more …',
    '      three',
    '        four',
  ]);
});

it('short errors stay as they are, each with its own lines', () => {
  const output = 'a.ts(1,2): error TS1: x\n  why\nb.ts(3,4): error TS2: y';
  expect(shortTypeErrors(`${output}\n`)).toBe(output);
});

it('other output, such as a crash of the compiler, stays', () => {
  expect(shortTypeErrors('')).toBe('');
  expect(shortTypeErrors('killed by SIGKILL after 1200 s')).toBe('killed by SIGKILL after 1200 s');
  const crash = 'Error: Debug Failure.\n    at a\n    at b\n    at c\n    at d';
  expect(shortTypeErrors(crash)).toBe(crash);
});
