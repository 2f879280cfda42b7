import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { root } from '../workspace.ts';
import { run } from './run.ts';

const PROGRAM = readFileSync(join(root, 'packages/sdk/test/runtimes/published.ts'), 'utf8');

const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  devDependencies: Record<'typescript' | '@types/node', string>;
};

interface Project {
  readonly manifest: object;
  /** The other files of the project. */
  readonly files: Readonly<Record<string, string>>;
  /** The command that compiles it, if it has to be compiled. */
  readonly before?: readonly [string, ...string[]];
  readonly main: string;
}

const compiled = (format: 'esm' | 'cjs'): string => transformSync(PROGRAM, { loader: 'ts', format }).code;

/** The kinds of projects that install us. */
const PROJECTS: Readonly<Record<string, Project>> = {
  'ES modules': { manifest: { type: 'module' }, files: { 'main.js': compiled('esm') }, main: 'main.js' },
  CommonJS: { manifest: {}, files: { 'main.js': compiled('cjs') }, main: 'main.js' },
  TypeScript: {
    manifest: {
      type: 'module',
      devDependencies: {
        typescript: devDependencies.typescript,
        '@types/node': devDependencies['@types/node'],
      },
    },
    files: {
      'main.ts': PROGRAM,
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          module: 'nodenext',
          target: 'es2024',
          strict: true,
          exactOptionalPropertyTypes: true,
          types: ['node'],
          outDir: 'out',
        },
        files: ['main.ts'],
      }),
    },
    before: [process.execPath, 'node_modules/typescript/bin/tsc'],
    main: 'out/main.js',
  },
};

/** Installs the published packages into a project of each kind, as users do, and runs it. */
export async function runProjects(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  for (const [kind, { manifest, files, before, main }] of Object.entries(PROJECTS)) {
    const cwd = join(folder, kind.replace(' ', '-').toLowerCase());
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'package.json'), JSON.stringify(manifest));
    await run(['npm', 'install', '--no-audit', '--no-fund', '@hubline/sdk', '@hubline/webhooks'], {
      cwd,
      env,
    });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
    if (before) await run(before, { cwd, env });
    const output = await run([process.execPath, main], { cwd, env });
    if (!output.startsWith('published and verified evt_'))
      throw new Error(`${kind} did not run to its end: ${output}`);
    console.log(`  ${kind}: ${output.trim()}`);
  }
}
