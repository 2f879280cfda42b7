import { expect, it } from 'vitest';
import { renderTemplate } from '../../templates/template.ts';
import { ExactNumber, parseExact } from './exact-number.ts';

const NUMBERS = [
  '12345678901234567890',
  '-9007199254740993',
  '1.10',
  '100.0',
  '0.00000012',
  '-0',
  '1e3',
  '1.5E-7',
  '0.1234567890123456789',
  '123456789.123456789',
  '1e999',
];

it.each(NUMBERS)('%s is written as it was, wherever it stands', (number) => {
  for (const text of [
    `{"n":${number}}`,
    `[${number},2]`,
    `{"a":[{"b":${number} }]}`,
    `{"a":[1,\n${number}\n]}`,
  ])
    expect(JSON.stringify(parseExact(text))).toBe(text.replaceAll(/\s/g, ''));
  const scope = { event: parseExact(`{"n":${number}}`) };
  const print = (template: string) => renderTemplate(template, scope);
  expect(print('{{ event.n }}')).toEqual({ ok: true, text: number });
  expect(print('{{ event.n | json }} {{ event | json }} {{ event }}')).toEqual({
    ok: true,
    text: `${number} {"n":${number}} {"n":${number}}`,
  });
});

it('keeps every other number a number, and texts as they are', () => {
  const text = '{"a":[1,2.5,-3,0,0.1,9007199254740991],"t":"1.10, 12345678901234567890, 1e5"}';
  expect(parseExact(text)).toEqual(JSON.parse(text));
});

it('compares exactly in templates, and counts as its nearest double in arithmetic', () => {
  const scope = {
    n: parseExact('[9007199254740993]'),
    m: 9_007_199_254_740_992,
    price: parseExact('[1.10]'),
  };
  const template =
    '{% if n[0] > m %}more{% endif %} {% if price[0] == 1.1 %}same{% endif %} {{ price[0] | times: 2 }} {{ price[0].constructor }}{{ price[0].toString }}';
  expect(renderTemplate(template, scope)).toEqual({ ok: true, text: 'more same 2.2 ' });
  expect(parseExact('1')).not.toBeInstanceOf(ExactNumber);
});
