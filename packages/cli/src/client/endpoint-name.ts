import type { Operations } from '@hubline/contract/types';

/** The endpoints that a command can call: all but the doors for providers, which authenticate with their own signature. */
export type EndpointName = Exclude<keyof Operations, `ingest.${string}`>;
