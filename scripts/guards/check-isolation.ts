/**
 * No service reaches a row by its ID alone. IDs come from callers, and the workspace of a row decides whether a caller may see it:
 * a lookup without the workspace is one forgotten check away from showing one workspace to another.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript';
import { report } from '../report.ts';
import { isTest, root } from '../workspace.ts';

/** The exceptions, with their reasons. All other files find a row by workspace and ID, or change a row that they have found in this way. */
const MAY: Readonly<Record<string, string>> = {
  'services/identity/access.ts': 'finds out which workspace a path is about, and decides',
  'services/integrations/ingest.ts': 'a call names an integration alone, and proves that it knows its secret',
  'services/idempotency.ts': 'the ID is a hash of the caller and the key',
  'services/delivery-store/claim.ts': 'sends for all workspaces',
  'services/delivery-store/create-delivery-store.ts': 'sends for all workspaces',
  'services/delivery-store/record.ts': 'sends for all workspaces',
  'services/delivery-store/webhook-rate-limiter.ts': 'sends for all workspaces',
  'services/webhooks/webhook-health.ts': 'sends for all workspaces',
  'services/webhooks/recovery-job.ts': 'recovers for all workspaces',
};

// Users and their sessions belong to no workspace: a credential or a membership says which one is meant. The `StatsPart`
// in stats-groups.ts names the workspace.
const NOT_BY_ID_ALONE = new Set(['users.ts', 'sessions.ts', 'stats-groups.ts']);
const ID = /^ids?$|Ids?$/;
/** The type of a text, several, or none: `string | null`, `readonly string[]`, `ReadonlySet<string>`. */
const TEXTS = /^[^{(]*\bstring\b/;
const OWNER = /^(?:workspaceIds?|userId)$/;

/** The exported functions of a file of `db/` that take a database or a transaction and an ID as text, but no owner. */
export function foundByIdAlone(text: string): string[] {
  const source = ts.createSourceFile('db.ts', text, ts.ScriptTarget.Latest, true);
  return exportedFunctions(source).flatMap(([exported, made]) => {
    const names = ts.isCallExpression(made)
      ? fields(source, made.typeArguments?.[0])
      : parametersOf(source, made);
    const isScoped = names.some((name) => OWNER.test(name));
    return !isScoped && names.some((name) => ID.test(name)) ? [exported] : [];
  });
}

/** The names that a function takes beside its database or transaction; none without one. */
function parametersOf(source: ts.SourceFile, { parameters }: ts.SignatureDeclaration): string[] {
  if (!/^(?:Db|Tx)$/.test(parameters[0]?.type?.getText() ?? '')) return [];
  return parameters.flatMap(({ type, name }) =>
    TEXTS.test(type?.getText() ?? '') ? [name.getText()] : fields(source, type),
  );
}

type Exported = [string, ts.SignatureDeclaration | ts.CallExpression];

/** The exported functions by name, whether declared or held by a constant, and the calls that make a prepared or cached query. */
const exportedFunctions = ({ statements }: ts.SourceFile): Exported[] =>
  statements.flatMap((node): Exported[] => {
    const isDeclaration = ts.isFunctionDeclaration(node) || ts.isVariableStatement(node);
    if (!isDeclaration || !node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
      return [];
    if (ts.isFunctionDeclaration(node)) return [[node.name?.text ?? '', node]];
    return node.declarationList.declarations.flatMap(({ name, initializer: made }): Exported[] =>
      made && (ts.isArrowFunction(made) || ts.isCallExpression(made)) ? [[name.getText(), made]] : [],
    );
  });

/** The names in a parameter of an object type that this file declares. Types of rows, which were found before, are declared elsewhere. */
function fields(source: ts.SourceFile, type: ts.TypeNode | undefined): string[] {
  if (!type) return [];
  if (ts.isIntersectionTypeNode(type)) return type.types.flatMap((part) => fields(source, part));
  const declared = source.statements.find(
    (node) => ts.isInterfaceDeclaration(node) && node.name.text === type.getText(),
  );
  const holder = ts.isTypeLiteralNode(type) ? type : (declared as ts.InterfaceDeclaration | undefined);
  return holder?.members.flatMap(({ name }) => (name ? [name.getText()] : [])) ?? [];
}

export function isolationProblems(path: string, text: string, unsafe: ReadonlySet<string>): string[] {
  if (MAY[path] !== undefined) return [];
  if (/\.(?:selectFrom|updateTable|deleteFrom)\(/.test(text)) return [`${path} has a query: write it in db/`];
  // The names that it uses could not be told.
  if (/\bimport (?:type )?\* as \w+ from '[^']*\/db\/|\bimport\('[^']*\/db\//.test(text))
    return [`${path} imports a whole file of db/: import what it uses by name`];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return source.statements.flatMap((node) => {
    if (!ts.isImportDeclaration(node) || !/\/db\//.test(node.moduleSpecifier.getText())) return [];
    const named = node.importClause?.namedBindings;
    const names = named && ts.isNamedImports(named) ? named.elements : [];
    return names
      .map(({ name, propertyName }) => (propertyName ?? name).getText())
      .filter((name) => unsafe.has(name))
      .map((name) => `${path} imports ${name}, which finds a row by its ID alone: give it the workspace`);
  });
}

if (import.meta.main) {
  const src = join(root, 'packages/server/src');
  const read = (path: string): string => readFileSync(join(src, path), 'utf8');
  const finders = globSync('db/**/*.ts', { cwd: src }).filter((path) => !NOT_BY_ID_ALONE.has(basename(path)));
  const unsafe = new Set(finders.flatMap((path) => foundByIdAlone(read(path))));
  const paths = globSync('{services,http}/**/*.ts', { cwd: src }).filter((path) => !isTest(basename(path)));
  const problems = paths.flatMap((path) => isolationProblems(path, read(path), unsafe));
  for (const path of Object.keys(MAY))
    if (!paths.includes(path)) problems.push(`${path} is gone: remove it from MAY`);
  report(problems, `${unsafe.size} lookups by ID alone, ${paths.length} files that serve requests`);
}
