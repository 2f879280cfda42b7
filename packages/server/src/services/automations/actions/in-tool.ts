import { findIntegration, type IntegrationRow } from '../../../db/integrations/integrations.ts';
import { Fault } from '../../../domain/faults/fault.ts';
import { ProviderUnavailable } from '../../../domain/faults/provider-unavailable.ts';
import type {
  ProviderConnection,
  IntegrationConfig,
  Provider,
  ProviderTools,
} from '../../../providers/provider.ts';
import { providerOf } from '../../integrations/provider-of.ts';
import { usableCredentials } from '../../integrations/usable-credentials.ts';
import { toolsFor } from '../../integrations/provider-tools.ts';
import type { ActionOutcome, StepWork } from './action.ts';

/** An integration that can be called. */
export interface Reached {
  row: IntegrationRow;
  provider: Provider;
  connection: ProviderConnection;
  tools: ProviderTools;
}

/** Does something in a connected tool. If the tool cannot be reached, the step fails. */
export async function inTool(
  { work, run }: StepWork,
  integrationId: string,
  act: (reached: Reached) => Promise<ActionOutcome>,
): Promise<ActionOutcome> {
  const row = await findIntegration(work.store.read, run.workspace_id, integrationId);
  const provider = row && providerOf(work, row);
  if (!provider) return refused('the integration was disconnected');
  try {
    const credentials = await usableCredentials(work, provider, row);
    const config = JSON.parse(row.config) as IntegrationConfig;
    return await act({
      row,
      provider,
      connection: { credentials, config },
      tools: toolsFor(work, row.provider),
    });
  } catch (error) {
    if (error instanceof ProviderUnavailable)
      return {
        ok: false,
        error: error.message,
        response: null,
        retryAfterMs: error.retryAfterSeconds * 1_000,
      };
    if (error instanceof Fault) return refused(error.message);
    throw error;
  }
}

/** A failure that would happen again on a retry. */
export const refused = (error: string): ActionOutcome => ({
  ok: false,
  error,
  response: null,
  retryAfterMs: null,
});
