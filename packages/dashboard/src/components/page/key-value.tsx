import type { ComponentChildren } from 'preact';

/** Facts about one thing, as label and value. */
export function KeyValue({
  rows,
}: {
  rows: readonly (readonly [label: string, value: ComponentChildren])[];
}) {
  return (
    <dl class="facts one wide">
      {rows.map(([label, value]) => [<dt key={`${label} `}>{label}</dt>, <dd key={label}>{value}</dd>])}
    </dl>
  );
}
