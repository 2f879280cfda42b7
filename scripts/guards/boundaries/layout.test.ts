import { describe, expect, it } from 'vitest';
import { cycleProblems } from './cycles.ts';
import { fullFolders } from './full-folders.ts';
import { importsOf } from './imports-of.ts';

describe('a cycle of imports', () => {
  const file = (path: string, text: string) => ({ path, text });

  it('is reported once, over three files and through a type', () => {
    const imports = importsOf([
      file('src/main.ts', "import { a } from './a.ts';"),
      file('src/a.ts', "import type { B } from './b/b.ts';"),
      file('src/b/b.ts', "export { c } from '../c.ts';"),
      file('src/c.ts', "const a = () => import('./a.ts');"),
    ]);
    expect(cycleProblems(imports)).toEqual(['src/a.ts → src/b/b.ts → src/c.ts → src/a.ts: an import cycle']);
  });

  it('is not two ways to the same file', () => {
    const imports = importsOf([
      file('src/main.ts', "import './a.ts';\nimport './b.ts';"),
      file('src/a.ts', "import './b.ts';"),
    ]);
    expect(cycleProblems(imports)).toEqual([]);
  });
});

it('a folder has at most fifteen files, without those of its folders', () => {
  const files = Array.from({ length: 15 }, (_, n) => `src/rules/${n}.ts`);
  expect(fullFolders([...files, 'src/rules/more/1.ts'])).toEqual([]);
  expect(fullFolders([...files, 'src/rules/15.ts'])).toEqual([
    'src/rules has 16 files, more than 15: give one of its ideas a folder of its own',
  ]);
});
