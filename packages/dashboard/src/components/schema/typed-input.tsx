import { useSignal } from '@preact/signals';
import type { ControlProps } from '../fields/field.tsx';
import { same, type Spec, textOf } from './spec.ts';

interface TypedInputProps {
  readonly spec: Pick<Spec, 'kind' | 'placeholder' | 'insert'>;
  readonly value: unknown;
  readonly control: Partial<ControlProps> & { readonly 'aria-label'?: string; readonly list?: string };
  readonly onChange: (value: unknown) => void;
}

const TALL: readonly string[] = ['area', 'json', 'pairs'];

/** Edits a value as text. The typed text stays as it is while it means the same value. */
export function TypedInput({ spec, value, control, onChange }: TypedInputProps) {
  const { kind = 'text', placeholder, insert } = spec;
  const typed = useSignal(print(kind, value));
  const shown = same(read(kind, typed.value), value) ? typed.value : print(kind, value);
  const attributes = {
    ...control,
    value: shown,
    placeholder,
    autoComplete: 'off',
    spellcheck: kind === 'area',
    'data-insert': insert,
    ...(kind !== 'text' && kind !== 'area' && { 'data-mono': '' }),
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => {
      typed.value = currentTarget.value;
      onChange(read(kind, currentTarget.value));
    },
  };
  if (!TALL.includes(kind)) return <input class="input" type="text" {...attributes} />;
  const rows = Math.min(Math.max(shown.split('\n').length, 3), 16);
  return <textarea class="input area" rows={rows} {...attributes} />;
}

type Kind = NonNullable<Spec['kind']>;

function print(kind: Kind, value: unknown): string {
  if (value == null) return '';
  if (kind === 'scalar') return printScalar(value);
  if (Array.isArray(value) && kind !== 'json')
    return value.map(kind === 'scalars' ? printItem : String).join(', ');
  if (typeof value !== 'object') return textOf(value);
  if (kind === 'json') return JSON.stringify(value, null, 2);
  return Object.entries(value)
    .map(([name, each]) => `${name}: ${each}`)
    .join('\n');
}

/** Parses a text; `undefined` for an empty one. A text that does not parse stays a string, and the field shows the problem. */
function read(kind: Kind, text: string): unknown {
  if (text.trim() === '') return undefined;
  const items = () =>
    text
      .split(kind === 'pairs' ? '\n' : ',')
      .map((each) => each.trim())
      .filter(Boolean);
  switch (kind) {
    case 'number':
      return Number.isNaN(Number(text)) ? text : Number(text);
    case 'list':
      return items();
    case 'scalar':
      return readScalar(text);
    case 'scalars':
      return readScalars(text);
    case 'json':
      return readJson(text) ?? text;
    case 'pairs':
      return Object.fromEntries(
        items()
          .map((line) => line.split(/:\s*(.*)/, 2))
          .map(([name, value = '']) => [name, value]),
      );
    default:
      return text;
  }
}

/** A value in JSON's quotes, or everything up to the next comma. */
const ITEM = /\s*(?:"(?:[^"\\]|\\.)*"\s*(?=,|$)|[^,]+)/g;

/** Values between commas; a comma in quotes belongs to its value. */
const readScalars = (text: string): unknown[] =>
  (text.match(ITEM) ?? [])
    .map((each) => each.trim())
    .filter(Boolean)
    .map(readScalar);

/** A value of a list; in quotes, if it would be read as something else. */
const printItem = (value: unknown): string =>
  typeof value === 'string' && same(readScalars(value), [value]) ? value : JSON.stringify(value);

/** `true`, `42` and `"42"` are a boolean, a number and a string. Everything that is not JSON is a string, too. */
function readScalar(text: string): unknown {
  const value = readJson(text);
  return value === undefined || typeof value === 'object' ? text : value;
}

const printScalar = (value: unknown): string =>
  typeof value === 'string' && readScalar(value) === value ? value : JSON.stringify(value);

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
