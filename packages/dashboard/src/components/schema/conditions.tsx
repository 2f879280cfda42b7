import { CONDITION_OPERATORS, LIMITS } from '@hubline/contract/constants';
import type { Condition, ConditionOperator } from '@hubline/sdk';
import { useContext, useId } from 'preact/hooks';
import { Button } from '../controls/button.tsx';
import { IconButton } from '../controls/icon-button.tsx';
import { useIssues } from '../fields/field.tsx';
import { Mark } from '../icons/mark.tsx';
import { Foreign } from '../text/foreign.tsx';
import { TypedInput } from './typed-input.tsx';
import { Verdicts } from './verdicts.ts';

/** The ways to combine several conditions: the label, and the word before every condition but the first. */
const MODES = {
  all: { label: 'all of these are true', word: 'and', make: (all: Condition[]): Condition => ({ all }) },
  any: { label: 'one of these is true', word: 'or', make: (any: Condition[]): Condition => ({ any }) },
  none: {
    label: 'none of these is true',
    word: 'or',
    make: (any: Condition[]): Condition => ({ not: { any } }),
  },
  notAll: {
    label: 'not all of these are true',
    word: 'and',
    make: (all: Condition[]): Condition => ({ not: { all } }),
  },
} as const;

type Mode = keyof typeof MODES;

const WORDS: Partial<Record<ConditionOperator, string>> = {
  eq: 'is',
  ne: 'is not',
  in: 'is one of',
  not_in: 'is none of',
  not_contains: 'does not contain',
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
  not_exists: 'is missing',
};

/** The ID of the list of paths that a condition suggests. */
export const PATHS = 'event-paths';

interface ConditionsProps {
  readonly value: Condition | null | undefined;
  /** Its path in the request. */
  readonly path: string;
  readonly onChange: (value: Condition | undefined) => void;
  readonly depth?: number;
  /** The words on the button, where there is no heading above. */
  readonly add?: string;
}

/** Conditions as rows, and groups of them. */
export function Conditions({ value, path, onChange, depth = 1, add = 'Add condition' }: ConditionsProps) {
  const { mode, items, pathOf } = groupOf(value ?? { all: [] }, path);
  const write = (next: readonly Condition[], as: Mode = mode) =>
    onChange(next.length === 0 ? undefined : MODES[as].make([...next]));
  const replace = (at: number, by: Condition | undefined) =>
    write(by ? items.with(at, by) : items.toSpliced(at, 1));
  return (
    <div class="conds" role="group" aria-label={`Conditions: ${MODES[mode].label}`}>
      {(items.length > 1 || mode !== 'all') && (
        <select
          class="input pick"
          aria-label="How to combine these conditions"
          value={mode}
          onChange={({ currentTarget }) => write(items, currentTarget.value as Mode)}
        >
          {Object.entries(MODES).map(([each, { label }]) => (
            <option key={each} value={each}>
              If {label}
            </option>
          ))}
        </select>
      )}
      {items.map((item, at) =>
        item.field === undefined ? (
          <Conditions
            key={at}
            value={item}
            path={pathOf(at)}
            depth={depth + 1}
            onChange={(next) => replace(at, next)}
          />
        ) : (
          <Comparison
            key={at}
            value={item}
            path={pathOf(at)}
            word={at === 0 ? 'If' : MODES[mode].word}
            onChange={(next) => replace(at, next)}
          />
        ),
      )}
      <div class="line">
        <Button size="small" kind="quiet" icon="plus" onClick={() => write([...items, EMPTY])}>
          {items.length === 0 ? add : 'Add condition'}
        </Button>
        {items.length > 0 && depth < LIMITS.conditionDepthMax - 1 && (
          <Button size="small" kind="quiet" onClick={() => write([...items, { any: [EMPTY] }])}>
            Add group
          </Button>
        )}
      </div>
    </div>
  );
}

const EMPTY: Condition = { field: '', op: 'eq' };

/** A condition as a group of several. */
function groupOf(value: Condition, path: string) {
  const inner = value.not ?? value;
  const mode: Mode = value.not ? (inner.all ? 'notAll' : 'none') : inner.any ? 'any' : 'all';
  const name = inner.all ? 'all' : 'any';
  const at = value.not ? `${path}.not` : path;
  const items = inner[name];
  return {
    mode,
    items: items ?? [inner],
    pathOf: (index: number) => (items ? `${at}.${name}[${index}]` : at),
  };
}

interface ComparisonProps {
  readonly value: Condition;
  readonly path: string;
  readonly word: string;
  readonly onChange: (value: Condition | undefined) => void;
}

function Comparison({ value, path, word, onChange }: ComparisonProps) {
  const { field = '', op = 'eq', value: wanted } = value;
  const issues = useIssues(path);
  const verdict = useContext(Verdicts).get(path);
  const change = (field: unknown, op: ConditionOperator, value: unknown) =>
    onChange({
      field: typeof field === 'string' ? field : '',
      op,
      ...(value !== undefined && { value: value as NonNullable<Condition['value']> }),
    });
  const valued = op !== 'exists' && op !== 'not_exists';
  const several = op === 'in' || op === 'not_in';
  const id = useId();
  const isExplained = issues.length > 0 || verdict !== undefined;
  const shared = { 'aria-invalid': issues.length > 0, 'aria-describedby': isExplained ? id : undefined };
  return (
    <div class="cond">
      <span class="and">{word}</span>
      <TypedInput
        spec={{ kind: 'text', insert: 'path', placeholder: 'event.type' }}
        control={{ 'aria-label': 'Field', list: PATHS, ...shared }}
        value={field}
        onChange={(next) => change(next, op, wanted)}
      />
      <select
        class="input pick"
        aria-label="Comparison"
        value={op}
        onChange={({ currentTarget }) => {
          const next = currentTarget.value as ConditionOperator;
          const list = next === 'in' || next === 'not_in';
          const items = wanted === undefined ? [] : [wanted].flat();
          change(field, next, next.endsWith('exists') ? undefined : list ? items : items[0]);
        }}
      >
        {CONDITION_OPERATORS.map((each) => (
          <option key={each} value={each}>
            {WORDS[each] ?? each.replace('_', ' ')}
          </option>
        ))}
      </select>
      {valued ? (
        <TypedInput
          key={String(several)}
          spec={{ kind: several ? 'scalars' : 'scalar', placeholder: several ? 'main, dev' : 'value' }}
          control={{ 'aria-label': 'Value', ...shared }}
          value={wanted}
          onChange={(next) => change(field, op, next)}
        />
      ) : (
        <span />
      )}
      <IconButton kind="copy" icon="x" label="Remove the condition" onClick={() => onChange(undefined)} />
      {isExplained && (
        <span id={id} class={issues.length > 0 ? 'wrong' : 'found'}>
          {issues.length > 0 ? (
            issues.join('; ')
          ) : (
            <>
              <Mark name={verdict?.matched ? 'ok' : 'off'} label={verdict?.matched ? 'Met' : 'Not met'} />
              {verdict?.note ?? (
                <>
                  found <code>{verdict?.found == null ? 'nothing' : <Foreign text={verdict.found} />}</code>
                </>
              )}
            </>
          )}
        </span>
      )}
    </div>
  );
}

/** The problems in conditions that can be found without the server, in the form of its errors. */
export function conditionIssues(
  value: Condition | null | undefined,
  path: string,
): { field: string; issue: string }[] {
  if (!value) return [];
  if (value.field !== undefined)
    return value.field === '' ? [{ field: `${path}.field`, issue: 'is required' }] : [];
  const { items, pathOf } = groupOf(value, path);
  return items.flatMap((item, at) => conditionIssues(item, pathOf(at)));
}
