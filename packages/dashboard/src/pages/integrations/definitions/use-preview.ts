import type { ProviderPreviewRequest } from '@hubline/sdk';
import { client } from '../../../api/client.ts';
import { useDryRun } from '../../../data/queries/use-dry-run.ts';
import { useWorkspace } from '../../../session/workspace.ts';

/** The event that a call makes; the server is asked while a person types. */
export function usePreview(request: ProviderPreviewRequest | undefined) {
  const workspace = useWorkspace();
  return useDryRun(
    async (signal) => request && client.providers.preview(workspace.id, request, { signal }),
    request && JSON.stringify([workspace.id, request]),
  );
}
