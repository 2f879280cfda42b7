/** Runs the examples in the doc comments of packages, each as a separate program in the folder of one of them. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { docComments } from './markdown.ts';
import { isTest, root, sourceFiles, workspacePackages } from '../workspace.ts';

export interface Examples {
  /** The package whose examples these are, and from which they import. */
  readonly home: string;
  /** Packages whose examples are run as well. */
  readonly others?: readonly string[];
  /** Code that runs before the examples. */
  readonly given: string;
  /** The body of a function of `module` that uses the exports of an example. */
  readonly after?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Outcome {
  /** The number of examples that ran. */
  readonly count: number;
  /** The examples that threw or did not end, with the reason. */
  readonly failed: readonly string[];
}

const MAIN = 'runner.ts';

/** One process runs all examples, because starting one takes longer than most of them. An example that throws is reported by its place. */
const runner = ({ given, after = '' }: Pick<Examples, 'given' | 'after'>) => `
import { readdirSync } from 'node:fs';
${given}
const use = async (module) => {${after}};
console.log = console.error = console.warn = () => {};
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write = () => true;
const failed = [];
const late = (_, reject) => setTimeout(reject, 10_000, 'It does not end.');
for (const file of readdirSync('.').filter((name) => name !== '${MAIN}'))
  await Promise.race([import('./' + file).then(use), new Promise(late)]).catch((error) =>
    failed.push(file + ': ' + (error instanceof Error ? error.stack : String(error))));
write(JSON.stringify(failed));
process.exit();
`;

export async function runDocExamples({ home, others = [], env, ...given }: Examples): Promise<Outcome> {
  const folder = mkdtempSync(join(root, 'packages', home, '.examples-'));
  try {
    writeFileSync(join(folder, MAIN), runner(given));
    const examples = workspacePackages()
      .filter((pkg) => [home, ...others].includes(pkg.folder))
      .flatMap(sourceFiles)
      .filter((path) => !isTest(path))
      .flatMap((path) => docComments(path).fences.map((fence) => ({ path, ...fence })));
    for (const { path, line, code } of examples)
      writeFileSync(join(folder, `${path.replaceAll('/', '_')}.${line}.ts`), code);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=hubline-source', MAIN],
      // Files that an example writes stay in the folder. The timeout is for an example that hangs, and allows for a busy machine.
      { env: { ...process.env, ...env }, cwd: folder, timeout: 100_000 },
    );
    return { count: examples.length, failed: JSON.parse(stdout) as string[] };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
