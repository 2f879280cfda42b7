import { isAbortError, type ProviderPreview, type ProviderPreviewRequest } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { client } from '../../../api/client.ts';
import { useWorkspace } from '../../../session/workspace.ts';

/** Long enough for a word, short enough to look live. */
const PAUSE_MS = 300;

interface Preview {
  readonly data?: ProviderPreview;
  readonly error?: unknown;
}

/** The event that a call would be, asked of the server after each pause in typing; the last answer stays meanwhile. */
export function usePreview(request: ProviderPreviewRequest | undefined): Preview {
  const workspace = useWorkspace();
  const preview = useSignal<Preview>({});
  useEffect(() => {
    if (!request) return;
    const abort = new AbortController();
    async function ask(body: ProviderPreviewRequest): Promise<void> {
      try {
        preview.value = {
          data: await client.providers.preview(workspace.id, body, { signal: abort.signal }),
        };
      } catch (error) {
        if (!isAbortError(error)) preview.value = { error };
      }
    }
    const timer = setTimeout(() => void ask(request), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [workspace.id, JSON.stringify(request)]);
  return preview.value;
}
