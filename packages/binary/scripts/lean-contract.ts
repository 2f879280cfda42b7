import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import ts from 'typescript';

/** Columns of the endpoints table that only the OpenAPI document and the types need. */
const DOCUMENTED: ReadonlySet<string> = new Set(['summary', 'description', 'errors', 'response']);

/** Files whose descriptions stay: the server shows those of each provider's credentials. */
const SHOWN = /[\\/]credentials[\\/]/;

interface Edit {
  from: number;
  to: number;
  text: string;
}

/**
 * Leaves out the parts of the contract that a running server never uses: the descriptions of requests and responses, and the
 * schemas of responses. Each description makes another schema, and 4,000 schemas take 30 ms of a start and 6 MB.
 */
export const leanContract: Plugin = {
  name: 'lean-contract',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]contract[\\/]src[\\/](?:schemas|endpoints)[\\/].*\.ts$/ }, async ({ path }) =>
      SHOWN.test(path) ? undefined : { contents: lean(await readFile(path, 'utf8')), loader: 'ts' },
    );
  },
};

function lean(text: string): string {
  const source = ts.createSourceFile('contract.ts', text, ts.ScriptTarget.Latest, true);
  const edits: Edit[] = [];
  const put = (from: number, to: number, by: string): void => void edits.push({ from, to, text: by });
  const visit = (node: ts.Node): void => {
    const described = calledOn(node);
    if (described) {
      put(described.end, node.end, '');
      visit(described);
    } else if (ts.isPropertyAssignment(node) && isDocumented(node)) {
      put(node.getFullStart(), endWithComma(node, text), '');
    } else ts.forEachChild(node, visit);
  };
  visit(source);
  // The bundler drops unused values only if they are marked as free of side effects.
  for (const value of constants(source)) {
    put(value.getStart(), value.getStart(), '/* @__PURE__ */ (() => (');
    put(value.end, value.end, '))()');
  }
  return edited(text, edits);
}

/** The schema on which a node calls `describe` or `meta`. */
function calledOn(node: ts.Node): ts.Expression | undefined {
  if (!ts.isCallExpression(node) || node.arguments.length !== 1) return undefined;
  const { expression: called } = node;
  if (!ts.isPropertyAccessExpression(called)) return undefined;
  return ['describe', 'meta'].includes(called.name.text) ? called.expression : undefined;
}

/** Reports whether a property is a documented column in a row of the endpoints table. */
function isDocumented({ name, parent }: ts.PropertyAssignment): boolean {
  const isRow = parent.properties.some((property) => property.name?.getText() === 'operationId');
  return isRow && DOCUMENTED.has(name.getText());
}

const endWithComma = ({ end }: ts.Node, text: string): number => (text[end] === ',' ? end + 1 : end);

/** The values of the constants of a module, except functions, which cost nothing. */
const constants = (source: ts.SourceFile): ts.Expression[] =>
  source.statements
    .filter((statement) => ts.isVariableStatement(statement))
    .flatMap(({ declarationList }) => declarationList.declarations)
    .flatMap(({ initializer }) => initializer ?? [])
    .filter((value) => !ts.isArrowFunction(value));

/** Applies edits to a text. Edits inside a part that is left out are ignored. */
function edited(text: string, edits: readonly Edit[]): string {
  let result = '';
  let at = 0;
  for (const { from, to, text: between } of edits.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (from < at) continue;
    result += text.slice(at, from) + between;
    at = to;
  }
  return result + text.slice(at);
}
