/**
 * What a user calls is learnt from an example: every function and class that a library exports has one in its doc comment, or, for
 * a class that is but a group of methods, every method. Types have theirs where they are taken or given.
 */
import ts from 'typescript';
import { root, sourceEntries } from './workspace.ts';
import type { WorkspacePackage } from './workspace.ts';

/** Names without an example, as `sdk: Webhooks.create`. */
export function missingExamples(packages: readonly WorkspacePackage[]): string[] {
  const { config } = ts.readConfigFile(`${root}/tsconfig.base.json`, (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, root);
  const entries = packages.flatMap((pkg) =>
    [...sourceEntries(pkg).values()].map((file) => [pkg.folder, file] as const),
  );
  const program = ts.createProgram(
    entries.map(([, file]) => file),
    options,
  );
  const checker = program.getTypeChecker();
  const resolve = (symbol: ts.Symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const hasExample = (symbol: ts.Symbol) =>
    symbol.getJsDocTags(checker).some(({ name }) => name === 'example');

  /** What has no example of a symbol: nothing, itself, or some of its methods. */
  const missing = (symbol: ts.Symbol): string[] => {
    if (!(symbol.flags & ts.SymbolFlags.Value) || hasExample(symbol)) return [];
    const [declaration] = symbol.declarations ?? [];
    if (!declaration || !ts.isClassDeclaration(declaration)) return [symbol.name];
    const methods = [...(symbol.members?.values() ?? [])].filter(
      ({ flags }) => flags & ts.SymbolFlags.Method,
    );
    if (methods.length === 0) return [symbol.name];
    return methods.filter((method) => !hasExample(method)).map((method) => `${symbol.name}.${method.name}`);
  };

  const names = entries.flatMap(([folder, file]) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    const exported = module ? checker.getExportsOfModule(module).map(resolve) : [];
    return exported.flatMap(missing).map((name) => `${folder}: ${name}`);
  });
  return [...new Set(names)];
}
