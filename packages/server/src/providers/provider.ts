import type { FaultDetail } from '../domain/fault.ts';
import type { EventSummary } from '../domain/summary.ts';
import type { Outbound } from '../outbound/outbound.ts';

/** Credential fields by name, as they were given and as they are stored (encrypted). */
export type Credentials = Readonly<Record<string, string>>;

/** The notification settings of an integration. Specification, "Connected integration". */
export interface IntegrationConfig {
  channel?: string | undefined;
  notify_on?: string[] | undefined;
  filters?: { severity?: string[] | undefined } | undefined;
}

/** A call to `/ingest/{integrationId}`, before anything in it is believed. */
export interface IngestRequest {
  /** Those that the provider declares, by names in lower case. Each came once. */
  headers: Readonly<Record<string, string>>;
  /** The bytes exactly as they came: six of eight providers sign these. */
  body: Buffer;
  now: Date;
}

/** A call to `/ingest/{integrationId}/slack`. */
export interface SlackRequest extends IngestRequest {
  /** The parsed query: a parameter that came twice is an array. */
  query: Readonly<Record<string, unknown>>;
}

/**
 * The names, in lower case, of all headers that a call is judged by. A call that has one of them twice is refused, and no
 * other header is passed on: what is not declared cannot be believed.
 */
export type DeclaredHeaders = (credentials: Credentials) => readonly string[];

/** Whether a call really comes from the provider. `reason` goes to the log, never to the caller. */
export type Verdict = { ok: true } | { ok: false; reason: string };

/** What an authentic call means. Its shape is never a reason to refuse it. */
export type Received =
  | {
      kind: 'event';
      /** Category of the Events API, such as `pull_request`. */
      type: string;
      /** Name of what produced it; the provider key unless the provider knows better. */
      source: string;
      /** The provider's JSON object as text, untouched. */
      payload: string;
      summary: EventSummary;
      /** Stable over redeliveries: the provider's delivery id, or a hash of the body. */
      dedupeKey: string;
    }
  /** Authentic and deliberately without an event. A `ping` also proves that the connection works. */
  | { kind: 'ping' | 'ignored'; reason: string }
  /** Authentic but unreadable, such as a body that is not JSON. */
  | { kind: 'malformed'; issue: string };

/** What the provider's API says of the credentials. */
export type CredentialCheck = { ok: true } | { ok: false; detail: FaultDetail };

/** What became of registering our ingest URL at the provider; `hook` is kept to remove it on disconnect. */
export type Registration =
  | { registered: true; hook: Record<string, string> }
  | { registered: false; reason: string };

/** What became of a notification; `destination` never holds a secret. */
export type NotifyResult =
  | { ok: true; destination: string }
  | { ok: false; destination: string; error: string };

/** A notification, already rendered. */
export interface Notification {
  eventType: string;
  text: string;
}

/** What a provider may use besides its own arguments. */
export interface ProviderTools {
  outbound: Outbound;
  /** Base URL of the provider's API from the operator (`HUBLINE_<PROVIDER>_API_URL`), if overridden. */
  apiUrl: string | undefined;
}

/** An integration as a provider sees it. */
export interface Connection {
  credentials: Credentials;
  config: IntegrationConfig;
}

/** One external tool. Everything that differs between tools is behind this interface; nothing outside knows a key. */
export interface Provider {
  key: string;
  name: string;
  description: string;
  /** Specification, "Available integration provider". */
  requiredCredentials: readonly string[];
  optionalCredentials: readonly string[];
  /** Several integrations of this provider may be active in one workspace. */
  repeatable: boolean;
  /** The credential that signs incoming calls; generated on connect when it is not given. `null`: calls are unsigned. */
  signingCredential(credentials: Credentials): string | null;
  /** Checks beyond names and types: patterns and combinations. Paths begin with `credentials.`. */
  checkCredentials(credentials: Credentials): FaultDetail[];
  /** The headers of its webhooks that prove, name or describe a call. */
  headers: DeclaredHeaders;
  verify(request: IngestRequest, credentials: Credentials): Verdict;
  receive(request: IngestRequest, credentials: Credentials): Received;
  /** Messages in the format of Slack's incoming webhooks, at `/ingest/{integrationId}/slack`. Absent: not taken. */
  slack?: {
    headers: DeclaredHeaders;
    verify(request: SlackRequest, credentials: Credentials): Verdict;
    receive(request: SlackRequest, credentials: Credentials): Received;
  };
  /** Asks the provider's API whether the credentials work. Absent: nothing to ask. */
  validate?(credentials: Credentials, tools: ProviderTools): Promise<CredentialCheck>;
  /** Registers the ingest URL at the provider, where its API and the token allow. Never throws. */
  register?(
    credentials: Credentials,
    ingest: { url: string; secret: string },
    tools: ProviderTools,
  ): Promise<Registration>;
  /** Removes what `register` made. Best effort: it must not stand in the way of a disconnect. */
  unregister?(credentials: Credentials, hook: Record<string, string>, tools: ProviderTools): Promise<void>;
  /** Sends a notification to `config.channel` or what the credentials point at. Absent: the provider only receives. */
  notify?(connection: Connection, notification: Notification, tools: ProviderTools): Promise<NotifyResult>;
  /** What is left for a person to do at the provider, in one or two sentences. */
  instructions(ingestUrl: string, credentials: Credentials): string;
}
