import type { Pages } from '../../data/use-pages.ts';
import { useShortcuts } from '../../shell/shortcuts.ts';
import { Button } from '../controls/button.tsx';
import { ErrorPanel } from './error-panel.tsx';

interface LoadMoreProps {
  readonly pages: Pages<unknown>;
  /** One and many of what is listed: `['event', 'events']`. */
  readonly noun: readonly [one: string, many: string];
}

/** How many there are so far, the way to more, and what went wrong. Stands below every list; `r` loads it again. */
export function LoadMore({ pages, noun: [one, many] }: LoadMoreProps) {
  useShortcuts({ r: () => pages.reload() });
  const { items, error, hasMore, loading } = pages;
  if (error !== undefined) {
    return <ErrorPanel error={error} retry={() => (items && hasMore ? pages.loadMore() : pages.reload())} />;
  }
  if (!items?.length) return null;
  return (
    <div class="load-more">
      {hasMore && (
        <Button pending={loading} onClick={() => pages.loadMore()}>
          Load more
        </Button>
      )}
      <span class="faint num" role="status">
        {items.length} {items.length === 1 ? one : many}
        {hasMore ? ' so far' : ''}
      </span>
    </div>
  );
}
