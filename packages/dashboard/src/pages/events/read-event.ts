import type { Event } from '@hubline/sdk';
import { client } from '../../api/client.ts';
import { memberOf, readJson } from '../../data/formats/json-node.ts';

/** An event, and its payload as it is stored: a browser's numbers would change `1.10` and long IDs. */
export interface ReadEvent {
  readonly event: Event;
  readonly payload: string;
}

export async function readEvent(workspaceId: string, id: string, signal: AbortSignal): Promise<ReadEvent> {
  const response = await client.events.get(workspaceId, id, { signal }).asResponse();
  const text = await response.text();
  const event = JSON.parse(text) as Event;
  return { event, payload: memberOf(readJson(text), 'payload')?.text ?? '' };
}
