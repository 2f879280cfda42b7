import { useId } from 'preact/hooks';
import { Field, useIssues } from '../fields/field.tsx';
import { put, textOf, type Spec, type Values } from './spec.ts';
import { TypedInput } from './typed-input.tsx';

interface SchemaFieldsProps {
  readonly specs: readonly Spec[];
  readonly values: Values;
  /** The path of the object in the request, such as `actions[0].`: errors of the API name it. */
  readonly path?: string;
  readonly onChange: (values: Values) => void;
}

/** The fields of an object of the API. */
export function SchemaFields({ specs, values, path = '', onChange }: SchemaFieldsProps) {
  return (
    <div class="schema">
      {specs.map((spec) => (
        <SchemaField
          key={spec.name}
          spec={spec}
          path={path + spec.name}
          value={values[spec.name]}
          onChange={(value) => onChange(put(values, spec.name, value))}
        />
      ))}
    </div>
  );
}

interface SchemaFieldProps {
  readonly spec: Spec;
  readonly path: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function SchemaField({ spec, path, value, onChange }: SchemaFieldProps) {
  const { kind, label, hint, options = {} } = spec;
  if (kind === 'ticks' || kind === 'check')
    return <Ticks spec={spec} path={path} value={value} onChange={onChange} />;
  return (
    <Field name={path} label={label} hint={hint}>
      {(control) =>
        kind === 'select' ? (
          <select
            {...control}
            class="input pick"
            value={textOf(value)}
            onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
          >
            {Object.entries(options).map(([option, name]) => (
              <option key={option} value={option}>
                {name}
              </option>
            ))}
          </select>
        ) : (
          <TypedInput spec={spec} value={value} control={control} onChange={onChange} />
        )
      }
    </Field>
  );
}

/** One box, or a box for each option. */
function Ticks({ spec: { kind, label, hint, options = {} }, path, value, onChange }: SchemaFieldProps) {
  const id = useId();
  const issues = useIssues(path);
  const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
  const box = (
    [key, name]: readonly [key: string, name: string],
    checked: boolean,
    change: (checked: boolean) => void,
  ) => (
    <label class="tick" key={key}>
      <input
        type="checkbox"
        class="check"
        checked={checked}
        aria-invalid={issues.length > 0}
        onChange={({ currentTarget }) => change(currentTarget.checked)}
      />
      {name}
    </label>
  );
  return (
    <fieldset class="field bare" aria-describedby={`${id}-hint`}>
      {kind === 'check' ? (
        box([label, label], value === true, onChange)
      ) : (
        <>
          <legend>{label}</legend>
          <div class="ticks">
            {Object.entries(options).map((each) =>
              box(each, chosen.includes(each[0]), (checked) => {
                const next = Object.keys(options).filter((option) =>
                  option === each[0] ? checked : chosen.includes(option),
                );
                onChange(next.length === 0 ? undefined : next);
              }),
            )}
          </div>
        </>
      )}
      <span id={`${id}-hint`} class={issues.length > 0 ? 'wrong' : 'hint'}>
        {issues.length > 0 ? `${label} ${issues.join('; ')}` : hint}
      </span>
    </fieldset>
  );
}
