import { expect, it } from 'vitest';
import { columnsOf } from './columns.ts';

it.each([
  [1, '1 B'],
  [0, '0 B'],
  [null, ''],
  // A field that an older server does not send.
  [undefined, ''],
])('the text of a column is for a value that is there: %j is %j', (value, text) => {
  const [column] = columnsOf({
    noun: ['file', 'files'],
    fields: ['size'],
    columns: [{ path: 'size', text: (bytes) => `${Number(bytes)} B` }],
    id: 'size',
  });
  expect(column?.text(value)).toBe(text);
});
