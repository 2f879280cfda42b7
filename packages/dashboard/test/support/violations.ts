import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The rules that every page keeps. */
export const EVERYTHING = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] as const;

/** The problems of a page for those who cannot see or cannot use a mouse. */
export async function violations(page: Page, rules: readonly string[] = EVERYTHING): Promise<string[]> {
  if (rules.length === 0) return [];
  // It stays as long as the document does, however often that is looked at.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate(
    async (runOnly) => {
      const { axe: run } = globalThis as unknown as { axe: typeof import('axe-core') };
      // Names and selectors of what is in order take time, and nobody reads them.
      return run.run(document, { runOnly, resultTypes: ['violations'], preload: false });
    },
    [...rules],
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
