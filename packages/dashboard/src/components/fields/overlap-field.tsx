import type { ComponentChildren } from 'preact';
import { SelectField } from './select-field.tsx';

const OVERLAPS = {
  0: 'Immediately',
  3_600: 'After an hour',
  86_400: 'After a day',
  259_200: 'After 3 days',
  604_800: 'After 7 days',
};

interface OverlapFieldProps {
  /** The overlap that is chosen at first, in seconds. */
  readonly seconds: keyof typeof OVERLAPS;
  readonly hint?: ComponentChildren;
}

/** The time for which a secret works beside the one that replaces it: `overlap_seconds`. */
export const OverlapField = ({ seconds, hint }: OverlapFieldProps) => (
  <SelectField
    name="overlap_seconds"
    label="The old secret stops"
    value={`${seconds}`}
    options={OVERLAPS}
    hint={hint}
  />
);
