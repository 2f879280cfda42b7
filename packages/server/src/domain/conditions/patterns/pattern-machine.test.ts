import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import type { WorkBudget } from '../work-budget.ts';
import { finder, type Program } from './pattern-machine.ts';

const programOf = (source: string) => RE2JS.compile(source).re2().prog as Program;

/** A budget of so many steps that counts those that are used. */
function budgetOf(most = Number.POSITIVE_INFINITY) {
  const budget = {
    used: 0,
    use(steps: number) {
      budget.used += steps;
      if (budget.used > most) throw new Error('over');
    },
  };
  return budget as typeof budget & WorkBudget;
}

function stepsFor(source: string, text: string): number {
  const budget = budgetOf();
  finder(programOf(source))(text, budget);
  return budget.used;
}

/** All texts of up to so many of these characters. */
const textsOf = (characters: readonly string[], most: number): string[] =>
  most === 0
    ? ['']
    : ['', ...textsOf(characters, most - 1).flatMap((text) => characters.map((one) => one + text))];

describe('a search', () => {
  const texts = [...new Set(textsOf(['a', 'b', '-', '\n', '😀'], 4))];

  // A pattern of RE2, and the same one of JavaScript.
  it.each([
    ['', /(?:)/u],
    ['a', /a/u],
    ['ab|ba', /ab|ba/u],
    ['^a', /^a/u],
    ['a$', /a$/u],
    ['^$', /^$/u],
    ['(?m)^b', /^b/mu],
    ['(?m)b$', /b$/mu],
    ['(?m)^$', /^$/mu],
    [String.raw`\Aa|b\z`, /^a|b$/u],
    [String.raw`\ba`, /\ba/u],
    [String.raw`b\b`, /b\b/u],
    [String.raw`\Ba\B`, /\Ba\B/u],
    [String.raw`\b😀|😀\B`, /\b😀|😀\B/u],
    ['a.b', /a.b/u],
    ['(?s)a.b', /a.b/su],
    ['^.$', /^.$/u],
    ['[^a]a', /[^a]a/u],
    ['(?i)A[^B]', /a[^b]/iu],
    ['^(a|b)*$', /^(a|b)*$/u],
    ['(a*)*b$', /(a*)*b$/u],
    ['^(?:a?){3}b{2,3}$', /^(?:a?){3}b{2,3}$/u],
    ['(ab|a)(b|$)', /(ab|a)(b|$)/u],
    ['^[a😀]+?$', /^[a😀]+?$/u],
  ])('for %j finds what JavaScript finds, in each of many texts', (source, same) => {
    const find = finder(programOf(source));
    expect(texts.filter((text) => find(text, budgetOf()))).toEqual(texts.filter((text) => same.test(text)));
  });

  it('tells word characters of ASCII from all others', () => {
    const find = finder(programOf(String.raw`^x\b`));
    const characters = Array.from({ length: 300 }, (_, code) => String.fromCodePoint(code));
    expect(characters.filter((one) => !find(`x${one}`, budgetOf())).join('')).toBe(
      '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz',
    );
  });
});

describe('the steps of a search', () => {
  it.each(['(a*)*b', '(a|a)*b', '(a?){30}a{30}b', String.raw`(\ba|\Ba|a)*b`])(
    'for %j are at most two for each instruction and character, however it is nested',
    (source) => {
      const instructions = programOf(source).inst.length;
      const [once, twice] = [stepsFor(source, 'a'.repeat(500)), stepsFor(source, 'a'.repeat(1_000))];
      expect(once).toBeGreaterThan(500);
      expect(twice).toBeLessThanOrEqual((2 * instructions + 1) * 1_001);
      expect(twice).toBeLessThan(2.1 * once);
    },
  );

  it('end with the first match', () => {
    expect(stepsFor('b', `ab${'a'.repeat(1_000)}`)).toBe(stepsFor('b', 'ab'));
  });

  it('end when the budget is spent, and the next search is not disturbed', () => {
    const find = finder(programOf('^a*b'));
    const spent = budgetOf(100);
    expect(() => find('a'.repeat(10_000), spent)).toThrow('over');
    expect(spent.used).toBeLessThan(150);
    expect([find('aab', budgetOf()), find('aac', budgetOf())]).toEqual([true, false]);
  });
});

it('a program with an instruction that it does not know is refused, and not run wrongly', () => {
  const { inst, start } = programOf('a');
  const unknown = { inst: [...inst, { op: 12, out: 0, arg: 0, matchRune: () => false }], start };
  expect(() => finder(unknown)).toThrow('unknown kind 12');
});
