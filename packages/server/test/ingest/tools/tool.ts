import { createHmac } from 'node:crypto';
import type { IntegrationStatusCode } from '@hubline/contract/types';
import type { ReceivedCall, ReceiverResponse } from '../../api/support/stand-ins/receiver.ts';

/** The headers that prove a call. */
export type Proof = Record<string, string>;

/** Something to sign. */
export interface Signing {
  secret: string;
  body: string;
  at: Date;
  /** The ID of the call, for providers that send it in a header. */
  id: string;
}

/** The status of a response, and its body if the tool reads it. */
export interface Success {
  status: number;
  body?: string;
}

/** The calls that a tool makes. */
export interface Calls {
  /** The secret that verifies them, if the tool issues it. Default: the one that connecting generates. */
  secret?: string;
  prove(signing: Signing): Proof;
  /** The body of an event. `padding`: a text that makes it larger. */
  event(given: { at: Date; id: string; padding?: string }): string;
  type: string;
  summary?: object;
  /** The responses that the tool takes for success: to a new event, and to the same again. */
  success: readonly [Success, Success];
  /**
   * The maximum age of a call, in seconds; `null`: calls carry no time, and a repeated call is recognized by its ID.
   */
  maxAge: number | null;
  /** The tool's handshake call, and the response that it expects. `unsigned`: the call is unsigned and brings the secret, once. */
  handshake?: { body: string; wrong: string; response: Success; unsigned?: true };
}

/** One way to connect a tool: how the tool calls, and how its API responds. */
export interface Tool {
  provider: string;
  /** `{api}` stands for the origin of its API. */
  credentials: Record<string, string>;
  channel?: string;
  /** The path of its API below the origin that stands in for it. */
  apiPath?: string;
  /** The response of its API to a call with valid credentials. `undefined`: no such route. */
  api(call: ReceivedCall): ReceiverResponse | undefined;
  /** Its refusals of credentials, and their consequences. */
  refusals: Readonly<Record<401 | 403, Refusal>>;
  /** The odd responses with status 200 that count as success of a notification, because any server may be there. */
  fine?: readonly ('a page' | 'nothing')[];
  /** The destination that a notification names. `{host}` stands for the host of its API. */
  destination: string;
  /** Absent: it only takes messages. */
  calls?: Calls;
  /** Reports whether a request to its API removes the webhook. Absent: the API registers none. */
  removes?(call: ReceivedCall): boolean;
}

/** A refusal of credentials. */
export interface Refusal {
  response: ReceiverResponse;
  /** The credential that connecting names in its error. `null`: connecting does not check the credentials. */
  field: string | null;
  /** The state of an integration after such a refusal of a notification. */
  code: IntegrationStatusCode;
}

/** A refusal in the form of most APIs. */
export const refusal = (
  status: 401 | 403,
  field: string | null,
  code: IntegrationStatusCode = 'credentials_refused',
): Refusal => ({ response: { status, body: { message: `${status} No` } }, field, code });

export const hmacHex = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('hex');

export const seconds = (at: Date): string => String(Math.floor(at.getTime() / 1_000));
