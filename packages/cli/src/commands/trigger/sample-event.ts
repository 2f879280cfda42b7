import { usageError } from '../../errors.ts';
import { samples } from '../../samples/samples.ts';

/** An event to publish. */
export interface SampleEvent {
  readonly type: string;
  readonly source: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

interface Wanted {
  readonly type: string;
  readonly source: string | undefined;
  /** Instead of the sample's payload; then any type will do. */
  readonly payload: Readonly<Record<string, unknown>> | undefined;
}

/** The event of a type, with the payload of its sample or one's own. */
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
