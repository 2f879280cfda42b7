import { useMemo } from 'preact/hooks';
import type { Pages } from '../../data/queries/use-pages.ts';
import { useShortcuts } from '../../shell/shortcuts.ts';
import { Button } from '../controls/button.tsx';
import { ErrorPanel } from './error-panel.tsx';

/** The end of every list: loads more, or shows an error. `r` loads the list again. */
export function LoadMore({ pages }: { readonly pages: Pages<unknown> }) {
  useShortcuts({ r: () => pages.reload() });
  const { items, error, hasMore, loading, requests } = pages;
  const soFar = `${items?.length} so far`;
  // Spoken when a page has loaded, and not with each item that arrives.
  const said = useMemo(() => soFar, [requests]);
  if (error !== undefined) {
    return <ErrorPanel of={{ error, reload: items && hasMore ? pages.loadMore : pages.reload }} />;
  }
  if (!items || !hasMore) return null;
  return (
    <div class="load-more">
      <Button pending={loading} onClick={pages.loadMore}>
        {items.length > 0 ? 'Load more' : 'Search further back'}
      </Button>
      <span class="faint num" aria-hidden="true">
        {soFar}
      </span>
      <span class="sr" role="status">
        {said}
      </span>
    </div>
  );
}
