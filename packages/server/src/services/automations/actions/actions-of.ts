import type { Action } from './action.ts';

const parsed = new WeakMap<object, readonly Action[]>();

/** The actions of an automation or one of its versions. Its row is the same object for every run until it changes. */
export function actionsOf(row: { actions: string }): readonly Action[] {
  let actions = parsed.get(row);
  if (!actions) parsed.set(row, (actions = JSON.parse(row.actions) as Action[]));
  return actions;
}
