import type { Query } from '../../data/queries/use-query.ts';
import { ErrorPanel } from './error-panel.tsx';

const WIDTHS = ['w3', 'w5', 'w4', 'w5', 'w2'] as const;

/** A placeholder for facts that are loading, about as large as they will be. */
export function Loading({ rows = 5 }: { rows?: number | undefined }) {
  return (
    <div class="stack" data-gap="s" role="progressbar" aria-label="Loading" aria-busy="true">
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} class={`skel ${WIDTHS[row % WIDTHS.length]}`} />
      ))}
    </div>
  );
}

interface QueryStateProps {
  readonly of: Pick<Query<unknown>, 'data' | 'error' | 'reload'>;
  /** The lines of the placeholder. */
  readonly rows?: number;
}

/** The error of a query, or a placeholder until it has data. */
export const QueryState = ({ of, rows }: QueryStateProps) =>
  of.data === undefined && of.error === undefined ? <Loading rows={rows} /> : <ErrorPanel of={of} />;
