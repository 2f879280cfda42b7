import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SOURCE = join(import.meta.dirname, '../..');
// The steps of the schema have landed, and never change.
const MAY = /^db\/(?:sqlite|postgres|migrations\/\d{4}-[\w-]+\.ts)|\.test\.ts$/;

const NAME = String.raw`(?:[\w.?]*dialect(?:\.name)?|['"\x60](?:sqlite|postgres)['"\x60])`;
const DECIDES = new RegExp(
  String.raw`${NAME}\s*[!=]==?|[!=]==?\s*${NAME}|switch\s*\([^)]*dialect|case\s+['"\x60](?:sqlite|postgres)['"\x60]|\[[\w.]*dialect(?:\.name)?\]`,
  'g',
);

it('only the code of a database asks which one it is: what differs is a member of `Dialect`', () => {
  const files = globSync('**/*.ts', { cwd: SOURCE }).filter((path) => !MAY.test(path));
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((path) =>
    [...readFileSync(join(SOURCE, path), 'utf8').matchAll(DECIDES)].map(([text]) => `${path}: ${text}`),
  );
  expect(found).toEqual([]);
});

it.each([
  "if (store.dialect === 'postgres') return;",
  "const isLite = 'sqlite' == context.store.dialect;",
  'store.dialect !== LITE',
  "dialectOf(tx).name !== 'sqlite'",
  'switch (store.dialect) {',
  "case 'sqlite':",
  'TEXTS[store.dialect]',
])('%s is found', (text) => {
  expect(text.match(DECIDES)).not.toBeNull();
});
