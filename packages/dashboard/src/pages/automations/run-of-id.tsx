import { isAPIError } from '@hubline/sdk';
import { useRoute } from 'preact-iso/router';
import { client } from '../../api/client.ts';
import { ErrorPanel } from '../../components/page/error-panel.tsx';
import { Loading } from '../../components/page/loading.tsx';
import { Page } from '../../components/page/page.tsx';
import { useQuery } from '../../data/use-query.ts';
import { Redirect } from '../../session/redirect.tsx';
import { useWorkspace } from '../../session/workspace.ts';

/** Leads from the id of a run to its page, which lies below its automation. */
export function RunOfIdPage() {
  const { id: workspaceId, href } = useWorkspace();
  const { id = '' } = useRoute().params;
  const query = useQuery(
    (signal) => automationOf(workspaceId, id, signal),
    ['automations', workspaceId, 'of', id],
  );
  if (query.data !== undefined) return <Redirect to={href(`automations/${query.data}/runs/${id}`)} />;
  return (
    <Page title="Run">{query.error === undefined ? <Loading /> : <ErrorPanel error={query.error} />}</Page>
  );
}

/** The automation that has this run. A run is asked for below its automation, so each of them is asked. */
async function automationOf(workspaceId: string, runId: string, signal: AbortSignal): Promise<string> {
  for await (const { id } of client.automations.list(workspaceId, { limit: 100 }, { signal })) {
    try {
      await client.automations.getRun(workspaceId, id, runId, { signal });
      return id;
    } catch (error) {
      if (!isAPIError(error) || error.status !== 404) throw error;
    }
  }
  throw new Error('No automation of this workspace has such a run. It may have been deleted.');
}
