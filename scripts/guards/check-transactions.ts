/**
 * No waiting inside a transaction. SQLite has one writer and Kysely one connection behind a mutex: a network call or a timer
 * awaited inside `write(async (tx) => …)` stops every other write of the server, and a nested write waits for itself, forever. A function
 * that is given the transaction is inside it too.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { report } from '../report.ts';
import { isTest, root } from '../workspace.ts';

const TIMERS = [
  'setTimeout',
  'setInterval',
  'setImmediate',
  'pause',
  'nextTurn',
  'endsWithin',
  'sleep',
  'delay',
];
/** Refused even where they are only named: passing one to a helper is the same wait. */
const NETWORK = ['fetch', 'providerHttp', 'http', 'mail'];
/** Calls that make others read data that is not committed yet. */
const AFTER_COMMIT = ['wake', 'offer', 'announce', 'wakeJobs', 'offerJob'];
/** Methods of a provider that use the network; `verify` and `receive` are pure and may stay. */
const PROVIDER_CALLS = ['validate', 'notify', 'register', 'unregister'];

export function transactionProblems(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const problems: string[] = [];
  const visit = (node: ts.Node, inside: boolean): void => {
    const reason = inside ? refusal(node) : undefined;
    if (reason) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      problems.push(`${path}:${line + 1} ${reason}`);
    }
    const opens = transaction(node);
    const leaves = ts.isCallExpression(node) && calledName(node) === 'afterCommit';
    ts.forEachChild(node, (child) =>
      visit(child, (inside && !leaves) || child === opens || takesTransaction(child)),
    );
  };
  visit(source, false);
  return problems;
}

/** The function given to `….write(…)`, if this node is such a call. */
function transaction(node: ts.Node): ts.Node | undefined {
  if (!ts.isCallExpression(node) || calledName(node) !== 'write') return undefined;
  return node.arguments.find((argument) => ts.isArrowFunction(argument) || ts.isFunctionExpression(argument));
}

/** Reports whether a node is a function that is given a transaction. */
function takesTransaction(node: ts.Node): boolean {
  if (!ts.isFunctionLike(node)) return false;
  return node.parameters.some(({ name, type }) => name.getText() === 'tx' || type?.getText() === 'Tx');
}

/** The reason why a node must not be inside a write, and what to do instead. */
function refusal(node: ts.Node): string | undefined {
  const reason = waits(node);
  if (reason) return `${reason} inside a write: do it before or after the transaction`;
  const name = ts.isCallExpression(node) ? calledName(node) : '';
  return AFTER_COMMIT.includes(name)
    ? `${name} inside a write makes others read what is not committed yet: pass it to afterCommit`
    : undefined;
}

function waits(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node) && NETWORK.includes(node.name.text) && !isSetting(node)) {
    return `${node.getText()} reaches the network`;
  }
  if (!ts.isCallExpression(node)) return undefined;
  const name = calledName(node);
  if (transaction(node)) return 'a nested write waits for the outer one';
  if (TIMERS.includes(name)) return `${name} waits`;
  if (ts.isIdentifier(node.expression) && NETWORK.includes(name)) return `${name} reaches the network`;
  const owner = ts.isPropertyAccessExpression(node.expression) ? node.expression.expression.getText() : '';
  const asks = /provider/i.test(owner) && PROVIDER_CALLS.includes(name);
  return asks ? `the provider's ${name} reaches the network` : undefined;
}

/** Reports whether a mailer is only asked whether it sends at all. */
const isSetting = ({ parent }: ts.Node): boolean =>
  ts.isPropertyAccessExpression(parent) && parent.name.text === 'sends';

function calledName({ expression }: ts.CallExpression): string {
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text;
  return ts.isIdentifier(expression) ? expression.text : '';
}

if (import.meta.main) {
  const paths = globSync('packages/server/src/**/*.ts', { cwd: root }).filter((path) => !isTest(path));
  const problems = paths.flatMap((path) => transactionProblems(path, readFileSync(join(root, path), 'utf8')));
  report(problems, `Transactions in ${paths.length} files`);
}
