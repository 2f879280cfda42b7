import type { ComponentChildren } from 'preact';
import { Button } from '../controls/button.tsx';

interface FiltersBarProps {
  readonly children: ComponentChildren;
  /** True if any filter is set: then there is a button that clears them. */
  readonly active: boolean;
  readonly onClear: () => void;
}

/** Filters side by side; `/` focuses the first. */
export function FiltersBar({ children, active, onClear }: FiltersBarProps) {
  return (
    <search class="filters">
      {children}
      {active && (
        <Button kind="quiet" size="small" onClick={onClear}>
          Clear
        </Button>
      )}
    </search>
  );
}
