/**
 * `node compile.ts <folder> <tools>`: compiles the programs of a project that has the packed packages, once for each way to resolve
 * modules, and with the types of Bun, which are installed with the tools.
 * One process compiles all of them, and checks only our files: reading and checking the libraries of TypeScript and Node again for
 * each would take a minute.
 */
import { join } from 'node:path';
import ts from 'typescript';
import { report } from '../report.ts';
import { root } from '../workspace.ts';

const [, , folder = '.', tools = '.'] = process.argv;

/** For no runtime in particular. */
const portable: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  types: [],
};
const node = { ...portable, types: ['node'], typeRoots: [join(root, 'node_modules/@types')] };

const projects: Readonly<Record<string, readonly [options: ts.CompilerOptions, ...files: string[]]>> = {
  portable: [{ ...portable, module: ts.ModuleKind.NodeNext, allowImportingTsExtensions: true }, 'worker.ts'],
  node10: [
    {
      ...node,
      module: ts.ModuleKind.CommonJS,
      moduleResolution: ts.ModuleResolutionKind.Node10,
      ignoreDeprecations: '6.0',
      esModuleInterop: true,
    },
    'types.cts',
  ],
  node16: [{ ...node, module: ts.ModuleKind.Node16 }, 'types.cts', 'types.ts'],
  nodenext: [{ ...node, module: ts.ModuleKind.NodeNext }, 'types.ts'],
  bundler: [
    { ...node, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
    'types.ts',
  ],
  bun: [
    {
      ...portable,
      lib: ['lib.es2022.d.ts'],
      module: ts.ModuleKind.Preserve,
      types: ['bun'],
      typeRoots: [join(tools, 'node_modules/@types')],
    },
    'types.ts',
  ],
};

/** Files outside of the project, which are the same for all of them. */
const shared = new Map<string, ts.SourceFile | undefined>();

function problemsOf(options: ts.CompilerOptions, files: readonly string[]): string[] {
  const host = ts.createCompilerHost(options);
  host.getCurrentDirectory = () => folder;
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (path, version, ...rest) => {
    if (path.startsWith(folder)) return read(path, version, ...rest);
    const key = `${path} ${typeof version === 'object' ? version.impliedNodeFormat : ''}`;
    if (!shared.has(key)) shared.set(key, read(path, version, ...rest));
    return shared.get(key);
  };
  const program = ts.createProgram(
    files.map((file) => join(folder, file)),
    options,
    host,
  );
  const ours = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(folder));
  const diagnostics = [
    ...program.getOptionsDiagnostics(),
    ...ours.flatMap((source) => [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ]),
  ];
  return diagnostics.map((diagnostic) =>
    ts.formatDiagnostic(diagnostic, { ...host, getNewLine: () => '\n' }),
  );
}

const problems = Object.entries(projects).flatMap(([name, [options, ...files]]) =>
  problemsOf(options, files).map((problem) => `${name}: ${problem}`),
);
report(problems, `Declarations, resolved in ${Object.keys(projects).length} ways`);
