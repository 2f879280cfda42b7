import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { JOB_KINDS } from '@hubline/contract';
import { expect, it } from 'vitest';
import { jobKinds } from './job-kinds.ts';

const sources = join(import.meta.dirname, '..');

it('jobs have the kinds that the contract names; the scheduled backup is one of them, older names are not', () => {
  const kinds = jobKinds(null, { monotonic: () => 0 }).map(({ name }) => name);
  expect([...kinds, 'backup'].toSorted(), 'a kind needs a row in job-kinds.ts and in JOB_KINDS').toEqual(
    [...JOB_KINDS, 'catch_up', 'catch_up_all'].toSorted(),
  );
});

it('each kind of job has a file and a constant of its name, and no other file is named like one', () => {
  const files = globSync('{backups,services}/**/*-job.ts', { cwd: sources });
  const kinds = files.map((path) => basename(path, '-job.ts').replaceAll('-', '_'));
  expect(kinds.toSorted()).toEqual(JOB_KINDS);
  for (const [index, path] of files.entries()) {
    const constant = kinds[index]?.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    expect(readFileSync(join(sources, path), 'utf8')).toMatch(
      new RegExp(`^export const ${constant}Job = `, 'm'),
    );
  }
});

it('a name that the contract does not have does not compile', () => {
  // @ts-expect-error no such kind
  const misspelled: ReturnType<typeof jobKinds>[number]['name'] = 'mial';
  expect(JOB_KINDS).not.toContain(misspelled);
});
