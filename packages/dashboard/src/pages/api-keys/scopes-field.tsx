import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { Seg } from '../../components/controls/seg.tsx';
import { useIssues, Wrong } from '../../components/fields/field.tsx';
import { Icon } from '../../components/icons/icon.tsx';
import { allScopes, RESOURCES, rightsOf, scopesOf } from './scopes.ts';

const PRESETS: Readonly<Record<string, readonly string[]>> = {
  'Publish only': ['events:write'],
  'Read everything': allScopes.filter((scope) => scope.endsWith('read')),
  Everything: ['*'],
};

/** Chooses scopes: everything, or single rights. `fields.all('scopes')` returns the chosen ones. */
export function ScopesField({ value }: { value: readonly string[] }) {
  const id = useId();
  const chosen = useSignal(value);
  const issues = useIssues('scopes');
  const granted = chosen.value.includes('*') ? allScopes : chosen.value;
  return (
    // With this name, the form knows that errors about the scopes are shown here.
    <fieldset
      class="field bare"
      name="scopes"
      aria-describedby={issues.length > 0 ? `${id}-error` : undefined}
    >
      <legend>Scopes</legend>
      <div class="line wrapf">
        {Object.entries(PRESETS).map(([words, scopes]) => (
          <button
            key={words}
            type="button"
            class="chip"
            aria-pressed={String(scopes) === String(chosen.value)}
            onClick={() => (chosen.value = scopes)}
          >
            {words}
          </button>
        ))}
      </div>
      {chosen.value.map((scope) => (
        <input key={scope} type="hidden" name="scopes" value={scope} />
      ))}
      <div class="card">
        {Object.entries(RESOURCES).map(([resource, [icon, label, words]]) => {
          const [read, write] = ['read', 'write'].map((right) => granted.includes(`${resource}:${right}`));
          return (
            <div key={resource} class="right-row">
              <Icon name={icon} size="s" />
              <span class="clip">
                <b>{label}</b>
                <small>{words}</small>
              </span>
              <Seg
                label={label}
                options={rightsOf(resource)}
                value={
                  read ? (write && resource !== 'audit_log' ? 'both' : 'read') : write ? 'write' : 'none'
                }
                onChange={(right) => {
                  // Scopes that this form does not offer stay as they are.
                  const others = granted.filter((scope) => !scope.startsWith(`${resource}:`));
                  chosen.value = [...others, ...scopesOf(resource, right)];
                }}
              />
            </div>
          );
        })}
      </div>
      {issues.length > 0 ? (
        <Wrong id={id} label="Scopes" issues={issues} />
      ) : (
        <span class="hint">
          {granted === chosen.value
            ? chosen.value.join(', ') || 'Nothing yet.'
            : 'All scopes, including future ones. A key never has more rights than its creator.'}
        </span>
      )}
    </fieldset>
  );
}
