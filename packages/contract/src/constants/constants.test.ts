import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('the constants import nothing from outside their folder, so programs can use them without zod', () => {
  const seen = new Set<string>();
  const visit = (url: URL): void => {
    if (seen.has(url.href)) return;
    seen.add(url.href);
    for (const [, specifier = ''] of readFileSync(url, 'utf8').matchAll(
      /^(?:import|export) .*?from '(.*?)';$/gms,
    )) {
      expect(specifier).toMatch(/^\.\//);
      visit(new URL(specifier, url));
    }
  };
  visit(new URL('index.ts', import.meta.url));
  expect(seen.size).toBeGreaterThan(5);
});
