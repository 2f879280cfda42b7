import type { Timer } from '../clock/timer.ts';
import type { Deps } from '../context.ts';
import type { Sender } from '../delivery/senders/call.ts';
import type { UploadPace } from '../http/request/body-reader.ts';
import type { HttpTimeouts } from '../http/front/node-server.ts';
import type { Resolve } from '../outbound/http-client.ts';
import type { NameServersAnswer } from '../outbound/pool/name-servers.ts';
import type { ProviderHttp } from '../outbound/provider-http.ts';
import type { HashCost } from '../secrets/passwords.ts';
import type { ServerCommandLine } from '../system/server-info.ts';

/** Something that works beside a server. */
export interface Companion {
  /** Stops, and waits for the work under way. */
  stop(): Promise<void>;
}

/** The parts that tests and the seed replace. */
export interface ServerOverrides {
  /** Default: the system's clock. */
  clock?: () => Date;
  /** Wakes the delivery engine and the job runner when something is due. Default: the system's timers. */
  timer?: Timer;
  /** A monotonic clock, in milliseconds. Default: `performance.now`, or `clock` if that is given. */
  monotonic?: () => number;
  /** Resolves the host names of URLs that users give. Default: the system's resolver. */
  resolve?: Resolve;
  /** Reports whether the name servers of a host answer. Default: they are asked; with `resolve`, they count as silent. */
  nameServersAnswer?: NameServersAnswer;
  /**
   * Certificate authorities to trust instead of Node's own, in PEM: for receivers, and for the authority that issues
   * certificates.
   */
  ca?: string;
  /** Wraps the senders: handles calls, or passes them on. */
  sender?: (senders: Sender) => Sender;
  /** Wraps the requests to providers: handles them, or passes them on. */
  providerHttp?: (providerHttp: ProviderHttp) => ProviderHttp;
  /** Works beside the server, with its parts, until it stops. */
  companion?: (deps: Deps) => Companion;
  /** The program of a sender's thread. Default: the server's own. */
  senderProgram?: URL;
  /** The program of the thread that reads long calls. Default: the server's own. */
  callProgram?: URL;
  /** The program of the HTTP thread. Default: the server's own. */
  httpProgram?: URL;
  /** The deadline of an attempt, in milliseconds. Default: the specification's 30 s. */
  attemptTimeoutMs?: number;
  /** The time that a request may take to arrive. Default: 10 s for its headers, 90 s in all. */
  httpTimeouts?: Partial<HttpTimeouts>;
  /** The deadline of one call to a provider's API, in milliseconds. Default: 10 s. */
  providerTimeoutMs?: number;
  /** The speed at which request bodies must arrive. */
  uploads?: Partial<UploadPace>;
  /** The longest time for which a client may read nothing of a large response or a stream, in milliseconds. Default: 15 s. */
  stallMs?: number;
  /** The cost of hashing a password. Default: OWASP's recommendation, a quarter of a second. */
  passwordCost?: HashCost;
  /**
   * The command line that started the server, for commands that its operator may paste. Default: that of an installed
   * program.
   */
  commandLine?: Partial<ServerCommandLine>;
  /** Sentences for the log about what that command line cannot use. */
  warnings?: readonly string[];
  /** The folder of the built dashboard, ending with a slash. Default: the output folder of its build. */
  dashboard?: string;
  /** The period at which old rows are removed, in milliseconds. Default: 10 minutes. */
  housekeepingEveryMs?: number;
}
