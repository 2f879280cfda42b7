import type { ComponentChildren } from 'preact';

/** Facts about one thing, as label and value. One without a value is left out. */
export function KeyValue({
  rows,
}: {
  rows: readonly (readonly [label: string, value: ComponentChildren])[];
}) {
  return (
    <dl class="facts one wide">
      {rows.map(
        ([label, value]) => value && [<dt key={`${label} `}>{label}</dt>, <dd key={label}>{value}</dd>],
      )}
    </dl>
  );
}
