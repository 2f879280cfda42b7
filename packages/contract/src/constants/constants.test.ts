import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('the constants load nothing from outside: programs take them instead of zod', () => {
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
