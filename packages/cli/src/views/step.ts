import type { Step } from '../dry-run/steps.ts';
import type { Style } from '../io.ts';
import { view } from '../spec/view.ts';

export const stepView = view<Step>()({
  noun: ['step', 'steps'],
  fields: ['what', 'method', 'path', 'idempotency_key', 'body'],
  columns: [{ path: 'what', flexible: true }, 'idempotency_key', 'body'],
  id: 'what',
});

/** One line for people, with the key and the body of a request below it. */
export function stepLine({ what, idempotency_key: key, body }: Step, style: Style): string {
  return [
    `${style.yellow('Would')} ${what}`,
    ...(key === null ? [] : [style.dim(`  idempotency key ${key}`)]),
    ...(body === null ? [] : [`  ${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}`]),
  ].join('\n');
}
