import { useSignal } from '@preact/signals';
import type { ComponentType, VNode } from 'preact';
import { useRoute } from 'preact-iso/router';
import { useEffect } from 'preact/hooks';
import { reachable } from '../api/client.ts';
import { Notice } from '../components/page/notice.tsx';
import { Button } from '../components/controls/button.tsx';

interface Page {
  (): VNode;
  /** Begins to load the page. */
  preload(): void;
}

/**
 * A page that loads when it is first seen. preact-iso has a `lazy` of its own, which waits forever when the chunk is gone,
 * as after an update of the server.
 */
export function lazyPage(load: () => Promise<ComponentType>): Page {
  let loaded: ComponentType | undefined;
  function LazyPage() {
    const { path } = useRoute();
    const page = useSignal(loaded);
    const failed = useSignal(false);
    const isThere = reachable.value;
    useEffect(() => {
      failed.value = false;
      async function fetchPage(): Promise<void> {
        try {
          loaded ??= await load();
          page.value = loaded;
        } catch {
          failed.value = true;
        }
      }
      void fetchPage();
    }, [isThere]);
    // The shell shows that the server is away. This page continues when it is back.
    if (failed.value && isThere) return <Outdated />;
    const Page = page.value;
    // The key makes a new page for another path, so that no state of the first one stays. A workspace that is renamed keeps its page.
    return Page ? (
      <Page key={path?.replace(/^\/w\/[^/]+/, '')} />
    ) : (
      <div class="progress" role="progressbar" aria-label="Loading" />
    );
  }
  return Object.assign(LazyPage, {
    // A failure shows when the page is opened, which loads it again.
    preload: () => void load().catch(() => undefined),
  });
}

function Outdated() {
  return (
    <div class="body">
      <Notice
        tone="warn"
        title="This page could not be loaded"
        actions={<Button onClick={() => location.reload()}>Reload</Button>}
      >
        <p>The server may have been updated since you opened the dashboard.</p>
      </Notice>
    </div>
  );
}
