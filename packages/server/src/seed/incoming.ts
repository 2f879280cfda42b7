import type { Context } from '../context.ts';
import { openCredentials } from '../services/integrations/credentials.ts';
import { acceptCall, findSource } from '../services/integrations/ingest.ts';
import { happen, type ToolMoment, type ToolName } from './tools/index.ts';

/** The integration of each tool. */
export type Connected = Readonly<Record<ToolName, string>>;

/**
 * Handles a call of a tool as its ingest URL would, without checking its origin: the provider reads it, and the event
 * is stored with all its effects.
 */
export async function receiveNext(context: Context, connected: Connected, moment: ToolMoment): Promise<void> {
  const { tool, call } = happen(moment);
  const { row, provider } = await findSource(context, connected[tool]);
  const credentials = openCredentials(context, row);
  if (!credentials) throw new Error(`The credentials of ${row.id} cannot be read.`);
  const body = Buffer.from(JSON.stringify(call.body));
  const received = provider.receive({ headers: call.headers, body, now: moment.now }, credentials);
  await acceptCall(context, { row }, received);
}
