import type { ComponentChildren } from 'preact';
import { formatCount } from '../../data/formats/format-number.ts';
import type { Pages } from '../../data/queries/use-pages.ts';
import { Button } from '../controls/button.tsx';
import { EmptyState } from './empty-state.tsx';

interface NoMatchProps {
  /** The plural noun: `events`. */
  readonly noun: string;
  readonly pages: Pages<unknown>;
  /** The number of them that the server reads for each request. */
  readonly each: number;
  readonly onClear: () => void;
  /** Another way to search, as a button. */
  readonly action?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** Shown when filters match nothing: in the whole history, or as far as the server has looked. */
export function NoMatch({ noun, pages, each, onClear, action, children }: NoMatchProps) {
  const { hasMore, requests } = pages;
  return (
    <EmptyState
      title={`No ${noun} match${hasMore ? ' so far' : ''}`}
      action={
        <>
          {action}
          <Button onClick={onClear}>Clear the filters</Button>
        </>
      }
    >
      {hasMore
        ? `Searched the newest ${formatCount(requests * each)} ${noun}.`
        : `No stored ${noun} match these filters.`}
      {children}
    </EmptyState>
  );
}
