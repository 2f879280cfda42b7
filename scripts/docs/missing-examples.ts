/**
 * Readers learn a name from its example: every name that a library exports has one in its doc comment, and so has every method of
 * a class.
 */
import ts from 'typescript';
import { root, sourceEntries } from '../workspace.ts';
import type { WorkspacePackage } from '../workspace.ts';

/** Names without an example, such as `sdk: Webhooks.create`. */
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

  const isInternal = (symbol: ts.Symbol) =>
    symbol.getJsDocTags(checker).some(({ name }) => name === 'internal');

  /** The methods of a class itself, without those named by a symbol, which belong to the language. */
  const methodsOf = (symbol: ts.Symbol) =>
    [...(symbol.members?.values() ?? [])].filter(
      (member) =>
        symbol.flags & ts.SymbolFlags.Class &&
        member.flags & ts.SymbolFlags.Method &&
        !member.name.startsWith('__@') &&
        !isInternal(member),
    );

  /** The names that lack an example: the symbol itself, and methods of it. */
  const missing = (symbol: ts.Symbol): string[] => [
    ...(hasExample(symbol) ? [] : [symbol.name]),
    ...methodsOf(symbol)
      .filter((method) => !hasExample(method))
      .map((method) => `${symbol.name}.${method.name}`),
  ];

  // A name that several entries export is reported once, for the last one: names that the SDK re-exports belong to the other package.
  const symbols = entries.flatMap(([folder, file]) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    return (module ? checker.getExportsOfModule(module) : []).map(
      (symbol) => [resolve(symbol), folder] as const,
    );
  });
  return [...new Map(symbols)].flatMap(([symbol, folder]) =>
    missing(symbol).map((name) => `${folder}: ${name}`),
  );
}
