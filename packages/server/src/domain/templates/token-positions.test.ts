import { Liquid } from 'liquidjs';
import { expect, it } from 'vitest';
import { findLinesOnce, positionIn } from './token-positions.ts';

it.each(['', 'one', 'one\n', '\n\ntwo\nlines and\n\n', 'a\r\nb'])(
  'counts lines and columns in %j',
  (text) => {
    for (let place = 0; place <= text.length; place += 1) {
      const before = text.slice(0, place).split('\n');
      expect(positionIn(text, place)).toEqual([before.length, (before.at(-1)?.length ?? 0) + 1]);
    }
  },
);

it('finds the places that liquidjs finds', () => {
  const engine = new Liquid();
  const text = '{{ a.b }}\n{% if c %}\n  {{ d }}{{ a }}\n{% endif %}';
  const expected = engine.analyzeSync(engine.parse(text));
  findLinesOnce();
  expect(engine.analyzeSync(engine.parse(text))).toEqual(expected);
});
