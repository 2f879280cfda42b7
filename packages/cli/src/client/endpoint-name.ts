import type { Operations } from '@hubline/contract/types';

/** The endpoints that a command can call: all but those for providers, whose calls prove themselves by a signature. */
export type EndpointName = Exclude<keyof Operations, `ingest.${string}`>;
