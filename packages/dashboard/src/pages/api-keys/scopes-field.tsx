import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { CheckboxField } from '../../components/fields/checkbox-field.tsx';
import { useIssues } from '../../components/fields/field.tsx';
import { scopeRows } from './scopes.ts';

const RIGHTS = ['read', 'write'] as const;
const offered = new Set(scopeRows.flatMap(({ read, write }) => [read, write]));

/** Everything, or single scopes; `fields.all('scopes')` are the chosen ones. */
export function ScopesField({ value }: { value: readonly string[] }) {
  const id = useId();
  const everything = useSignal(value.includes('*'));
  const issues = useIssues('scopes');
  // Scopes that this form does not offer stay as they are.
  const others = value.filter((scope) => scope !== '*' && !offered.has(scope));
  return (
    <fieldset class="field" aria-describedby={issues.length > 0 ? `${id}-error` : undefined}>
      <legend>Scopes</legend>
      <CheckboxField
        name="scopes"
        value="*"
        label="Everything"
        hint="Includes scopes that are added later."
        checked={everything.value}
        onChange={(checked) => (everything.value = checked)}
      />
      {!everything.value && (
        <>
          {others.map((scope) => (
            <input key={scope} type="hidden" name="scopes" value={scope} />
          ))}
          <table class="scopes">
            <thead>
              <tr>
                <th scope="col">May</th>
                <th scope="col">read</th>
                <th scope="col">write</th>
              </tr>
            </thead>
            <tbody>
              {scopeRows.map((row) => (
                <tr key={row.label}>
                  <th scope="row">{row.label}</th>
                  {RIGHTS.map((right) => (
                    <td key={right}>
                      {row[right] !== undefined && (
                        <input
                          type="checkbox"
                          name="scopes"
                          value={row[right]}
                          defaultChecked={value.includes(row[right])}
                          aria-label={`${right} ${row.label}`}
                          aria-invalid={issues.length > 0}
                        />
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      {issues.length > 0 && (
        <small id={`${id}-error`} class="field-error">
          Scopes {issues.join('; ')}
        </small>
      )}
    </fieldset>
  );
}
