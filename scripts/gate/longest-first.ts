/** The order of the test files. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders of the server's tests whose short files wait for processes that die, for faults and for deadlines. */
export const LONG = ['crash', 'faults', 'fuzz', 'hostile', 'peers', 'ssrf'];

const isLong = ({ moduleId }: Pick<TestSpecification, 'moduleId'>): boolean =>
  LONG.some((folder) => moduleId.includes(`/server/test/${folder}/`));

/**
 * Larger files first, as vitest has it, but in each project those first whose size says nothing: begun last, they would run alone at
 * the end, with most of the machine idle.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return longestFirst(await super.sort(files));
  }
}

/** Moves the long files of each project to its front. */
export function longestFirst<
  File extends Pick<TestSpecification, 'moduleId'> & { project: { name: string } },
>(files: readonly File[]): File[] {
  const projects = Map.groupBy(files, ({ project }) => project.name);
  return [...projects.values()].flatMap((own) => [
    ...own.filter(isLong),
    ...own.filter((file) => !isLong(file)),
  ]);
}
