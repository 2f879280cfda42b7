import type { SourceFile } from './imports-of.ts';
import { isTest } from '../../workspace.ts';

/** Names that several files of one package declare, and the reason. */
export const repeated: Readonly<Record<string, string>> = {
  'sdk Hubline': 'one class for each transport, under the name that every entry of the package exports',
};

const DECLARATION = /^export (?:declare |default |abstract )*(?:type|interface|class|enum) (\w+)/gm;

/**
 * Problems with names of types that two files of one package export: a reader takes one for the other, and an editor offers both.
 * Generated types are the same things as their sources. `known`: the names that remain. A name that is no longer repeated must
 * leave the list.
 */
export function repeatedTypeProblems(
  known: Readonly<Record<string, string>>,
  files: readonly SourceFile[],
): string[] {
  const declared = files
    .filter(({ path }) => !isTest(path) && !path.includes('/generated/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(DECLARATION)].map(([, name]) => ({ key: `${path.split('/')[1]} ${name}`, path })),
    );
  const several = new Map(
    [...Map.groupBy(declared, ({ key }) => key)].filter(([, found]) => found.length > 1),
  );
  return [
    ...[...several]
      .filter(([key]) => !Object.hasOwn(known, key))
      .map(([key, found]) => {
        const [, name] = key.split(' ');
        return `${found.map(({ path }) => path).join(' and ')} export a type ${name}: name each by what it is`;
      }),
    ...Object.keys(known)
      .filter((key) => !several.has(key))
      .map(
        (key) =>
          `${key} is declared once or not at all: remove it from scripts/guards/boundaries/repeated-types.ts`,
      ),
  ];
}
