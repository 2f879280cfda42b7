import { isAPIError } from '@hubline/sdk';
import { useRoute } from 'preact-iso/router';
import { client } from '../../api/client.ts';
import { Missing } from '../../components/page/error-panel.tsx';
import { Page } from '../../components/page/page.tsx';
import { QueryState } from '../../components/page/loading.tsx';
import { useQuery } from '../../data/queries/use-query.ts';
import { Redirect } from '../../session/redirect.tsx';
import { useWorkspace } from '../../session/workspace.ts';

/** Redirects from the ID of a run to its page, which is below its automation. */
export function RunOfIdPage() {
  const { id: workspaceId, href } = useWorkspace();
  const { id = '' } = useRoute().params;
  const query = useQuery(
    (signal) => automationOf(workspaceId, id, signal),
    ['automations', workspaceId, 'of', id],
  );
  if (query.data) return <Redirect to={href(`automations/${query.data}/runs/${id}`)} />;
  return (
    <Page title="Run">
      {query.data === null ? <Missing what="No such run" /> : <QueryState of={query} />}
    </Page>
  );
}

/** The automation that has this run, if any. The API reads a run below its automation, so each automation is tried. */
async function automationOf(workspaceId: string, runId: string, signal: AbortSignal): Promise<string | null> {
  for await (const { id } of client.automations.list(workspaceId, { limit: 100 }, { signal })) {
    try {
      await client.automations.getRun(workspaceId, id, runId, { signal });
      return id;
    } catch (error) {
      if (!isAPIError(error, 'not_found')) throw error;
    }
  }
  return null;
}
