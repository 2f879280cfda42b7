import { useSignal } from '@preact/signals';

interface ChoicesProps {
  readonly name: string;
  readonly label: string;
  /** The value, its title, and a line that explains it. */
  readonly options: readonly (readonly [value: string, title: string, words: string])[];
  readonly value: string;
}

/** A choice of one option, each with a line that explains it. */
export function Choices({ name, label, options, value }: ChoicesProps) {
  const chosen = useSignal(value);
  return (
    <fieldset class="field bare">
      <legend>{label}</legend>
      <div class="choices">
        {options.map(([option, title, words]) => (
          <label key={option} class="choice">
            <input
              type="radio"
              class="check"
              name={name}
              value={option}
              checked={option === chosen.value}
              onChange={() => (chosen.value = option)}
            />
            <span>
              <b>{title}</b>
              {words}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
