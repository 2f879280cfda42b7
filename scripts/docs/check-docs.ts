/**
 * An example that does not compile teaches the wrong thing. Every fenced `ts` block of the pages, and of the doc comments of
 * the published libraries, is compiled against the packages' sources. A block stands alone; one marked `ts continue` continues
 * the block before it; any other mark must be the name of a client that compiles it in its own way (check-clients.ts).
 * A block in a doc comment may use a `client` and a `workspaceId`, which every method needs.
 */
import { join } from 'node:path';
import ts from 'typescript';
import { docComments, markdownFiles } from './markdown.ts';
import type { Markdown } from './markdown.ts';
import { missingExamples } from './missing-examples.ts';
import { shortTypeErrors } from '../gate/short-type-errors.ts';
import { report } from '../report.ts';
import { isTest, root, sourceFiles, workspacePackages } from '../workspace.ts';

/** The packages whose doc comments users see in their editor. */
const DOCUMENTED = ['contract', 'sdk', 'webhooks'];

/** The packages that programs import: every name has an example. The SDK exports the types of the API to them. */
const EXEMPLIFIED = ['sdk', 'webhooks'];

/** The marks of blocks that check-clients.ts compiles. A block with a mistyped mark would be compiled by nobody. */
const BY_CLIENTS = new Set(['openapi-fetch', 'hey-api']);

/** The values that an example in a doc comment may use without making them, with their types. */
const GIVEN = { client: "import('@hubline/sdk').Hubline", workspaceId: 'string' };

/** Declares the given values that an example does not make itself, before its first line. */
function withGiven(code: string): string {
  const missing = Object.entries(GIVEN).filter(([name]) => !new RegExp(`const ${name}\\b`).test(code));
  return missing.map(([name, type]) => `declare const ${name}: ${type};`).join(' ') + code;
}

const isTypeScript = (lang: string): boolean => lang === 'ts' || lang === 'typescript';

/** Virtual file → text. Code keeps its line numbers, so that a diagnostic points into the page. */
function virtualFiles({ path, fences }: Markdown): Map<string, string> {
  const files = new Map<string, string>();
  let current = '';
  for (const { lang, meta, code, line } of fences) {
    if (!isTypeScript(lang) || (meta !== '' && meta !== 'continue')) continue;
    if (meta !== 'continue' || current === '') current = join(root, `${path}.${line}.ts`);
    const before = files.get(current) ?? '';
    files.set(current, before + '\n'.repeat(line - before.split('\n').length) + code);
  }
  return files;
}

/** Blocks with a mark that no check knows. */
const strayMarks = ({ path, fences }: Markdown): string[] =>
  fences.flatMap(({ lang, meta, line }) =>
    !isTypeScript(lang) || meta === '' || meta === 'continue' || BY_CLIENTS.has(meta)
      ? []
      : [`${path}:${line} has the mark "${meta}", which no check compiles`],
  );

function compile(files: ReadonlyMap<string, string>): readonly ts.Diagnostic[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, root);
  // An example may name a value only to show it.
  Object.assign(options, {
    noUnusedLocals: false,
    noUnusedParameters: false,
    moduleDetection: ts.ModuleDetectionKind.Force,
  });
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (path) => files.has(path) || disk.fileExists(path),
    readFile: (path) => files.get(path) ?? disk.readFile(path),
    getSourceFile: (path, version) => {
      const text = files.get(path);
      return text === undefined
        ? disk.getSourceFile(path, version)
        : ts.createSourceFile(path, text, version, true);
    },
  };
  // A reader of the root README has every package installed. Here each is installed where it is used, so all of them are tried.
  const homes = workspacePackages().map((pkg) => join(pkg.path, 'example.ts'));
  const cache = ts.createModuleResolutionCache(root, (name) => name, options);
  host.resolveModuleNameLiterals = (literals, containing, ...[, , source]) =>
    literals.map((literal) => {
      const mode = ts.getModeForUsageLocation(source, literal, options);
      for (const from of files.has(containing) ? [containing, ...homes] : [containing]) {
        const resolved = ts.resolveModuleName(literal.text, from, options, host, cache, undefined, mode);
        if (resolved.resolvedModule) return resolved;
      }
      return { resolvedModule: undefined };
    });
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files.keys()].flatMap((path) => [
    ...ts.getPreEmitDiagnostics(program, program.getSourceFile(path)),
  ]);
}

const markdown = markdownFiles();
const documented = workspacePackages()
  .filter(({ folder }) => DOCUMENTED.includes(folder))
  .flatMap(sourceFiles)
  .filter((path) => !isTest(path))
  .map(docComments);
const pages = new Map(markdown.flatMap((page) => [...virtualFiles(page)]));
const comments = new Map(
  documented
    .flatMap((comment) => [...virtualFiles(comment)])
    .map(([path, code]) => [path, withGiven(code)] as const),
);
// One program for everything, because each program loads and checks the sources of all packages.
const diagnostics = compile(new Map([...pages, ...comments]));
const problems = diagnostics.map(({ file, start, messageText }) => {
  const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 1;
  const page = file?.fileName.slice(root.length).replace(/\.\d+\.ts$/, '') ?? '';
  return shortTypeErrors(`${page}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
});
problems.push(...[...markdown, ...documented].flatMap(strayMarks));
const users = workspacePackages().filter(({ folder }) => EXEMPLIFIED.includes(folder));
problems.push(
  ...missingExamples(users).map(
    (name) =>
      `${name} has no @example in its doc comment (that of a type of the API comes from packages/contract/scripts/type-docs.md)`,
  ),
);
report([...new Set(problems)], `${pages.size + comments.size} examples`);
