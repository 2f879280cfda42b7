import type { Hubline } from '@hubline/sdk';

interface Entry {
  at: string;
  text: string;
}

const clock = (iso: string) => iso.slice(11, 23);

/** Lists the events of a workspace and every attempt to deliver them, in chronological order. */
export async function timeline(client: Hubline, workspaceId: string): Promise<string[]> {
  const entries: Entry[] = [];
  for await (const event of client.events.list(workspaceId)) {
    const { action, subject, text } = event.summary;
    const what = [action, subject?.name ?? text].filter(Boolean).join(': ');
    entries.push({ at: event.created_at, text: `event     ${event.type.padEnd(13)} ${what}` });
  }
  for await (const { id } of client.deliveries.list(workspaceId)) {
    const delivery = await client.deliveries.get(id);
    for (const attempt of delivery.attempts) {
      const outcome = attempt.response_status ?? attempt.error?.kind ?? 'no response';
      entries.push({
        at: attempt.started_at,
        text: `attempt ${attempt.attempt} ${delivery.event_type.padEnd(21)} ${outcome} in ${attempt.duration_ms} ms`,
      });
    }
    if (delivery.completed_at) {
      entries.push({ at: delivery.completed_at, text: `${delivery.status} ${delivery.event_type}` });
    }
  }
  return entries.toSorted((a, b) => (a.at < b.at ? -1 : 1)).map(({ at, text }) => `${clock(at)}  ${text}`);
}
