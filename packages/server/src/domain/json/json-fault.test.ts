import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultIn } from './json-fault.ts';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const TOKENS = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  ' ',
  '\n',
  '"a"',
  '"\\u00e9"',
  '"\\u00e"',
  '"\\x"',
  '\t',
  '\r',
  '"\t"',
  '"',
  '\\',
];
const SCALARS = ['1', '-0', '01', '1.', '.5', '1e5', '1E+', '-', 'true', 'null', 'nul', 'true1', '\u00a0'];
const WHOLE = ['{}', '[]', '{"a":1}', '[1,2]', '{"a":[', ']}'];
const ALL = [...TOKENS, ...SCALARS, ...WHOLE];

// Texts that stop at each place of the grammar, and ends, one of which completes each.
const STARTS = [
  '',
  '1',
  '[',
  '[1',
  '[1,',
  '{',
  '{"a"',
  '{"a":',
  '{"a":1',
  '{"a":1,',
  '[{',
  '{"a":[',
  '[[1]',
  '{"a":{}',
];
const ENDS = ['', ']', '}', '1]', ':1}', '":1}', ']}'];

describe('the fault in a JSON text', () => {
  it('is there where JSON.parse finds one, for each token at each place', () => {
    // Without `expect`, which takes as long as all the rest.
    const wrong = STARTS.flatMap((start) =>
      ALL.flatMap((token) =>
        ENDS.map((end) => start + token + end).filter((text) => (faultIn(text) === -1) !== isJson(text)),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('is there where JSON.parse finds one, for any sequence of tokens', () => {
    const tokens = fc.array(fc.constantFrom(...ALL), { maxLength: 12 });
    fc.assert(
      fc.property(tokens, (some) => {
        const text = some.join('');
        return (faultIn(text) === -1) === isJson(text);
      }),
      { numRuns: 500 },
    );
  });

  it('is not there in printed JSON, and is there when a lost character breaks it', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (text, at) => {
        const cut = text.slice(0, at % text.length) + text.slice((at % text.length) + 1);
        return faultIn(text) === -1 && (faultIn(cut) === -1) === isJson(cut);
      }),
    );
  });

  it.each([
    ['{"a":1,}', 7],
    ['[1 2]', 3],
    ['{"a" 1}', 5],
    ['{"a":tru}', 5],
    ['["a\nb"]', 1],
    ['["a\\x"]', 1],
    ['["\\u00e"]', 1],
    ['[1]]', 3],
    ['[1', 2],
    ['', 0],
  ])('is named by its position: %j', (text, at) => {
    expect(faultIn(text)).toBe(at);
  });
});
