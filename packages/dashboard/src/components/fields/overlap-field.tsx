import type { ErrorDetail } from '@hubline/sdk';
import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { formatTime } from '../text/time.tsx';
import { FieldErrors } from './field.tsx';
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
  <FieldErrors.Provider value={useContext(FieldErrors).map(asChosen)}>
    <SelectField
      name="overlap_seconds"
      label="The old secret stops"
      value={`${seconds}`}
      options={OVERLAPS}
      hint={hint}
    />
  </FieldErrors.Provider>
);

/** The API's refusal of an overlap during another, with the option that stands for 0, and a time as the dashboard shows it. */
const asChosen = ({ field, issue }: ErrorDetail): ErrorDetail => ({
  field,
  issue: issue.replaceAll(' 0', ` “${OVERLAPS[0]}”`).replace(/\S+Z/, (time) => formatTime(time)),
});
