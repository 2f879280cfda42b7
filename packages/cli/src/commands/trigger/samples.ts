import type { Event } from '@hubline/contract/types';
import { usageError } from '../../errors/errors.ts';
import { eventEnvelope, newId, type Outgoing } from '../../forward/envelope.ts';
import { parseJSON } from '../../input/read-input.ts';
import { samples } from '../../samples/samples.ts';
import { triggerData } from '../../samples/trigger-data.ts';
import { setPaths } from './set-path.ts';

/** An event to publish. */
export interface SampleEvent {
  readonly type: string;
  readonly source: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

interface Wanted {
  readonly type: string;
  readonly source: string | undefined;
  /** Replaces the sample's payload; then any type is accepted. */
  readonly payload: Readonly<Record<string, unknown>> | undefined;
}

/** The event of a type, with the payload of its sample or the given one. */
export async function sampleEvent({ type, source, payload }: Wanted): Promise<SampleEvent> {
  if (payload) return { type, source: source ?? 'api', payload };
  const sample = samples.find((each) => each.type === type && (source ?? each.source) === each.source);
  if (!sample) {
    const of = source === undefined ? '' : ` from ${source}`;
    throw usageError(
      `There is no sample of "${type}"${of}.`,
      'See: hubline trigger list. With --data it can be any type.',
    );
  }
  return { type, source: sample.source, payload: await sample.load() };
}

interface Changes {
  readonly set: readonly string[];
  readonly now: number;
}

/** A delivery as the server would send it for an event, without a server: every ID in it is new. */
export function eventDelivery({ type, source, payload }: SampleEvent, { set, now }: Changes): Outgoing {
  const event: Event = {
    event_id: newId('evt'),
    type,
    source,
    payload: { ...payload },
    created_at: new Date(now).toISOString(),
    workspace_id: newId('ws'),
    integration_id: newId('int'),
    summary: {
      action: null,
      actor: null,
      subject: null,
      container: null,
      text: `${source}: ${type}`,
      severity: 'none',
      occurred_at: null,
    },
  };
  return changed(eventEnvelope(event, { payload: JSON.stringify(payload), integrationType: source }), set);
}

/** A delivery of another trigger; `data` replaces the sample's. */
export function triggerDelivery(
  trigger: string,
  data: Readonly<Record<string, unknown>> | undefined,
  { set, now }: Changes,
): Outgoing {
  const id = newId('dlv');
  const timestamp = new Date(now).toISOString();
  const envelope = {
    id,
    type: trigger,
    created_at: timestamp,
    workspace_id: newId('ws'),
    data: data ?? triggerData[trigger]?.() ?? {},
    event: { id: null, timestamp },
  };
  return changed({ id, trigger, type: null, eventId: null, body: JSON.stringify(envelope) }, set);
}

/** The delivery with `--set` applied to its envelope. The values that the headers repeat change with it. */
function changed(outgoing: Outgoing, set: readonly string[]): Outgoing {
  if (set.length === 0) return outgoing;
  const envelope = setPaths(parseJSON(outgoing.body) as Record<string, unknown>, set);
  const { id, type } = envelope;
  return {
    ...outgoing,
    id: typeof id === 'string' && id !== '' ? id : outgoing.id,
    trigger: typeof type === 'string' ? type : outgoing.trigger,
    body: JSON.stringify(envelope),
  };
}
