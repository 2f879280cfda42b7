import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The rules that every page must pass. */
export const EVERYTHING = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] as const;

/** The accessibility problems of a page. */
export async function violations(page: Page, rules: readonly string[] = EVERYTHING): Promise<string[]> {
  if (rules.length === 0) return [];
  // Loaded once for each document.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(
    async (runOnly) => {
      const { axe: run } = globalThis as unknown as { axe: typeof import('axe-core') };
      // Details of passed checks take time, and nobody reads them.
      const options = { runOnly, reporter: 'no-passes', preload: false } as const;
      const { violations: found } = await run.run(document, options);
      return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
    },
    [...rules],
  );
}
