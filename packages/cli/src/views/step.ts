import type { Step } from '../dry-run/steps.ts';
import type { Style } from '../io.ts';
import { view } from '../spec/view.ts';

export const stepView = view<Step>()({
  noun: ['step', 'steps'],
  fields: ['what', 'method', 'path', 'idempotency_key', 'body'],
  columns: [{ path: 'what', flexible: true }, 'idempotency_key', 'body'],
  id: 'what',
});

/** Nobody reads on a screen further than this; a program gets all of it. */
const MOST_LINES = 30;

/** One line for people, with the key and the body of a request below it. */
export function stepLine({ what, idempotency_key: key, body }: Step, style: Style): string {
  return [
    `${style.yellow('Would')} ${what}`,
    ...(key === null ? [] : [style.dim(`  idempotency key ${key}`)]),
    ...(body === null ? [] : bodyLines(body).map((line) => `  ${line}`)),
  ].join('\n');
}

function bodyLines(body: unknown): string[] {
  const lines = JSON.stringify(body, null, 2).split('\n');
  if (lines.length <= MOST_LINES) return lines;
  return [
    ...lines.slice(0, MOST_LINES),
    `… ${lines.length - MOST_LINES} lines more; --json prints all of them`,
  ];
}
