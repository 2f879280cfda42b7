/** The imports of source files, read from TypeScript's own syntax tree: a regular expression would trip over strings and comments. */
import ts from 'typescript';

export interface Import {
  /** The file that it is in, from the workspace root. */
  readonly path: string;
  readonly specifier: string;
  readonly line: number;
  /** `import type`, `export type … from` or `import('x').T`: nothing of it is left at run time. */
  readonly typeOnly: boolean;
  /** `import()`: loaded when reached. */
  readonly dynamic: boolean;
  /** `export * from`. */
  readonly star: boolean;
}

/** A source file: its path from the workspace root, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** A dynamic import whose name is computed has this specifier. */
export const COMPUTED = '(computed)';

export const importsOf = (files: readonly SourceFile[]): Import[] => files.flatMap(importsIn);

function importsIn({ path, text }: SourceFile): Import[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: Import[] = [];
  const add = (node: ts.Node, name: ts.Node | undefined, traits: Partial<Import>): void => {
    found.push({
      path,
      specifier: name && ts.isStringLiteralLike(name) ? name.text : COMPUTED,
      line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1,
      typeOnly: false,
      dynamic: false,
      star: false,
      ...traits,
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      // `import { type A }` keeps a bare import under verbatimModuleSyntax, so only `import type` counts.
      add(node, node.moduleSpecifier, {
        typeOnly: node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword,
      });
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
      const star = node.exportClause === undefined || ts.isNamespaceExport(node.exportClause);
      add(node, node.moduleSpecifier, { typeOnly: node.isTypeOnly, star });
    } else if (ts.isImportTypeNode(node)) {
      add(node, ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined, { typeOnly: true });
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node, node.arguments[0], { dynamic: true });
    } else if (
      ts.isCallExpression(node) &&
      ts.isIdentifier(node.expression) &&
      node.expression.text === 'require'
    ) {
      add(node, node.arguments[0], {});
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
