import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import config from '../../vitest.config.ts';
import { root } from '../workspace.ts';

/** The patterns that a pattern with one `{…}` stands for. */
const alternatives = (pattern: string): string[] => {
  const [all, choices = ''] = /\{([^}]*)\}/.exec(pattern) ?? [];
  return all === undefined ? [pattern] : choices.split(',').map((choice) => pattern.replace(all, choice));
};

it('every test that is left out on PostgreSQL exists: a renamed one would run there again', () => {
  const projects = (config.test?.projects ?? []) as { test: { name: string; exclude?: string[] } }[];
  const { exclude = [] } = projects.find(({ test }) => test.name === 'server-postgres')?.test ?? {};
  const patterns = exclude.filter((pattern) => !pattern.includes('node_modules')).flatMap(alternatives);
  expect(patterns.length).toBeGreaterThan(20);
  const missing = patterns.filter(
    (pattern) => globSync(`packages/server/${pattern}`, { cwd: root }).length === 0,
  );
  expect(missing).toEqual([]);
});
