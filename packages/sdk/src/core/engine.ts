import type { Success } from '../run/connection.ts';
import type { Call, Prepared } from './call.ts';
import type { Config } from './config.ts';
import type { ClientOptions, StreamOptions } from './options.ts';
import type { RawResponse } from './response.ts';
import type { Transport } from './transport.ts';

/** The position in a stream, from which it is resumed. */
export interface StreamPosition {
  /** ID of the last complete message, even of one without data. */
  lastEventId: string | null;
  /** The pause before a reconnect that the server asks for, in milliseconds. */
  reconnectMs: number;
}

/** A stream of events and its position. */
export interface StreamState extends StreamPosition {
  readonly requester: Opener;
  readonly call: Call;
  readonly options: StreamOptions;
  /** The time at which the stream was opened. It resumes from there if it has no event yet. */
  openedAt?: string;
}

/** Opens the connections of a stream. */
export interface Opener {
  readonly config: Config;
  readonly runner: Engine['runner'];
  run(call: Call, how: 'open'): Promise<Success>;
}

/** Makes calls. Its code may be loaded later than the client's. */
export interface Runner {
  /** Makes a call and reads its response to the end. */
  request(config: Config, prepared: Prepared): Promise<RawResponse>;
  /** Makes a call whose response is a stream of events. The caller ends its connection. */
  open(config: Config, prepared: Prepared): Promise<Success>;
  /** Makes a call whose response is CSV, and gives pieces as they arrive. */
  readCsv(config: Config, prepared: Prepared): AsyncGenerator<string, void, undefined>;
  /** Iterates a stream until `end` aborts: connects, and connects again whenever the connection is lost. */
  followEvents<Item>(state: StreamState, end: AbortSignal): AsyncGenerator<Item, void, undefined>;
}

/** The part that differs between entries of the package: the transport, and when the code that makes calls is loaded. */
export interface Engine {
  /** Makes the transport of a client, unless a transport is given. */
  transportOf(options: ClientOptions): Transport;
  runner(): Promise<Runner> | Runner;
}
