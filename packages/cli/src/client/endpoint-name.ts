import type { Operations } from '@hubline/contract/types';

/** The endpoints that a command can call: all but those for providers, whose calls are verified by a signature. */
export type EndpointName = Exclude<keyof Operations, `ingest.${string}`>;
