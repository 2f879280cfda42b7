import { useSignal } from '@preact/signals';

interface ChoicesProps {
  readonly name: string;
  readonly label: string;
  /** Value → its title, and what it means in a line. */
  readonly options: readonly (readonly [value: string, title: string, words: string])[];
  readonly value: string;
}

/** One of a few, each with a line that explains it. */
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
