import type { z } from 'zod';
import type { Provider as ProviderDocument, VendorActionName } from '@hubline/contract';
import type { FaultDetail } from '../domain/faults/fault.ts';
import type { EventSummary } from '../domain/events/summary/summary.ts';
import type { JsonPiece } from '../domain/json/encoded.ts';
import type { Escaping } from '../domain/templates/escaping.ts';
import type { OAuth } from './oauth/oauth.ts';
import type { Credentials, ProviderTools } from './tools.ts';

export type { Credentials, ProviderTools };

/** The notification settings of an integration. Specification, "Connected integration". */
export interface IntegrationConfig {
  channel?: string | undefined;
  notify_on?: string[] | undefined;
  filters?: { severity?: string[] | undefined } | undefined;
}

/** A call to `/ingest/{integrationId}`, before it is verified. */
export interface IngestRequest {
  /** The headers that the provider declares, by names in lower case. No header came twice. */
  headers: Readonly<Record<string, string>>;
  /** The bytes exactly as they came: most providers sign these. */
  body: Buffer;
  /** The parsed query: a parameter that came twice is an array. Absent: there is none. */
  query?: Readonly<Record<string, unknown>> | undefined;
  now: Date;
}

/**
 * The names, in lower case, of all headers that are used to verify and read a call. A call that has one of them twice
 * is refused, and no other header is passed on, so that none is trusted by mistake.
 */
export type DeclaredHeaders = (credentials: Credentials) => readonly string[];

/** The verdict on a call: it comes from the provider, or not. `reason` goes to the log, never to the caller. */
export type Verdict = { ok: true } | { ok: false; reason: string };

/** The response that a provider counts as success, if it does not accept our usual one. */
export interface SuccessResponse {
  status: number;
  /** Default: no body. With an empty text, the type is still sent: Discord asks for it. */
  body?: { type: 'application/json' | 'text/plain'; text: string };
}

/** The credential that verifies incoming calls. */
export interface SigningCredential {
  name: string;
  /** Makes one on connect where none is given. Absent: the provider issues it. */
  generate?: () => string;
  /** True for a token that is a part of the ingest URL. */
  inUrl?: true;
}

/** The way in which a person sets up the webhook at the provider. */
export interface Setup {
  /** One action each, in order, in sentences. */
  steps: readonly string[];
  /** The manifest of an app, to paste at the provider. */
  manifest?: string;
}

/** The meaning of an authentic call. Its shape is never a reason to refuse it. */
export type Received<Payload extends JsonPiece = string> =
  | {
      kind: 'event';
      /** Event type, such as `pull_request`. */
      type: string;
      /** Name of what produced it; the provider key unless the provider knows better. */
      source: string;
      /** The provider's JSON object as text or its bytes, untouched. */
      payload: Payload;
      summary: EventSummary;
      /** Stable over redeliveries: the provider's delivery ID, or a hash of the body. */
      dedupeKey: string;
      /** The end of the access or of the webhook, if the event says so. `reason`: a clause such as "the app was uninstalled". */
      ended?: { what: 'credentials' | 'webhook'; reason: string };
    }
  /** Authentic, but deliberately not an event. A `ping` also proves that the connection works. */
  | { kind: 'ping' | 'ignored'; reason: string }
  /** The provider asks whether the URL is ours. `credentials`: those that the call brings, to be kept from now on. */
  | { kind: 'handshake'; reason: string; response: SuccessResponse; credentials?: Credentials }
  /** Authentic but unreadable, such as a body that is not JSON. */
  | { kind: 'malformed'; issue: string };

/** A URL in the credentials that this server calls. */
export interface CredentialUrl {
  /** The path of its field in a request, such as `credentials.notify_url`. */
  field: string;
  url: string;
}

/**
 * The result of asking the provider's API whether it accepts the credentials. `credentials`: further values to store with the
 * credentials, under other names, such as the ID of the bot, which identifies our own messages.
 */
export type CredentialCheck = { ok: true; credentials?: Credentials } | { ok: false; detail: FaultDetail };

/**
 * The identity of a webhook at the provider that calls our ingest URL. It is stored so that the webhook can be changed
 * or removed.
 */
export type Hook = Readonly<Record<string, string>>;

/** The URL that a webhook at the provider calls, and the secret that it signs with. */
export interface Ingest {
  url: string;
  secret: string;
  /** The webhook that was registered before. */
  hook: Hook | null;
}

/**
 * The result of registering a webhook. `created`: it was not there before. `renewAt`: the time to renew it, before it
 * expires.
 */
export type Registration =
  | { registered: true; hook: Hook; created: boolean; renewAt?: Date }
  | { registered: false; reason: string };

/**
 * The result of a notification; `destination` never holds a secret. `refused` says what the provider did not accept; `null`:
 * it was not asked, because the settings name no destination.
 */
export type NotifyResult =
  | { ok: true; destination: string }
  | { ok: false; destination: string; error: string; refused: 'credentials' | 'destination' | null };

/** A notification, already rendered. */
export interface Notification {
  /** The trigger, such as `event.created`. A test can name anything. */
  trigger: string;
  /** Plain text: shown as it is. */
  text: string;
  // A provider takes the richest form that it can show.
  markdown?: string | null;
  slackBlocks?: readonly object[] | null;
  discordEmbeds?: readonly object[] | null;
  adaptiveCard?: object | null;
}

/** The range of a sync, and its position in it. */
export interface SyncPosition {
  since: Date;
  /** The place at which the step before this one stopped, in the provider's own terms; `null` at first. */
  cursor: string | null;
  /** Returns those of the dedupe keys that were already received. */
  known(dedupeKeys: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Something that happened, as a search of the provider's API describes it. */
export interface FoundEvent {
  event: Extract<Received, { kind: 'event' }>;
  /** Reports whether a received event with this summary is the same one. Absent: the dedupe key alone decides. */
  isSameEvent?(summary: EventSummary): boolean;
}

/** The result of one step. Those of `events` that are new are stored; the repeated calls arrive by themselves. */
export type SyncStep =
  | {
      ok: true;
      events: readonly FoundEvent[];
      /** The number of calls that the provider makes again. */
      called: number;
      /** The place at which the next step continues; `null`: the sync is done. */
      cursor: string | null;
      /** The wait that the provider asks for before that, in milliseconds. */
      pauseMs?: number;
    }
  | { ok: false; refused: 'credentials' | 'request'; reason: string };

/** Finds events whose calls did not arrive. */
export interface ProviderSync {
  /**
   * The reason why these credentials do not allow a sync, worded to follow "the integration"; `null`: they do.
   * Absent: they always do.
   */
  obstacle?(credentials: Credentials, hook: Hook | null): string | null;
  /** Takes one step, of at most a hundred calls or events. Repeating a step loses and duplicates nothing. */
  step(
    connection: { credentials: Credentials } & Pick<Ingest, 'url' | 'hook'>,
    position: SyncPosition,
    tools: ProviderTools,
  ): Promise<SyncStep>;
}

/** The result of an action. `output`: the values that later steps of an automation may use. */
export type ActionResult =
  | { ok: true; output: Readonly<Record<string, string | number | null>> }
  /** `refused`: the provider refused the credentials, not just the action. */
  | { ok: false; error: string; refused?: 'credentials' };

/** An input of an action, for people. */
export type ActionInput = Omit<
  z.output<typeof ProviderDocument>['actions'][number]['inputs'][number],
  'name'
>;

/** Something that automations can do in a tool. */
export interface ProviderAction {
  readonly name: string;
  /** Its inputs by name: texts, already rendered. */
  readonly inputs: Readonly<Record<string, ActionInput>>;
  /** The languages of inputs that are sent as they are written. Values from events are escaped for them. */
  readonly escaping?: Readonly<Record<string, Escaping>>;
  /** The names in the output of a successful run. */
  readonly outputs: readonly string[];
  run(
    connection: ProviderConnection,
    input: Readonly<Record<string, string>>,
    step: ProviderStep,
  ): Promise<ActionResult>;
}

/** One step of a run, in a tool. */
export interface ProviderStep {
  tools: ProviderTools;
  /** Identifies this step: the same on every attempt. The action puts a marker of it into whatever it makes. */
  key: string;
  /** True if an earlier attempt may have succeeded: then the action looks for its marker first. */
  again: boolean;
}

/** An integration as a provider sees it. */
export interface ProviderConnection {
  credentials: Credentials;
  config: IntegrationConfig;
}

/**
 * One external tool. Everything that differs between tools is behind this interface; no code outside depends on a
 * provider's key. Functions that use the network throw `ProviderUnavailable` when there is no response from the provider
 * itself: `callApi` does that.
 */
export interface Provider {
  key: string;
  name: string;
  description: string;
  /** The credentials of each method to connect it. Absent: the contract has them under the key. */
  methods?: Readonly<Record<string, z.ZodObject>>;
  /** True if several integrations of this provider may be active in one workspace. */
  repeatable: boolean;
  /** The credential that verifies calls. `null`: calls are unsigned, or there are none. */
  signing(credentials: Credentials): SigningCredential | null;
  /** Reports whether the provider calls us when it is connected with these credentials. Absent: always. */
  receives?(credentials: Credentials): boolean;
  /** Checks combinations of credentials; the contract checks names and formats. Paths begin with `credentials.`. */
  checkCredentials(credentials: Credentials): FaultDetail[];
  /**
   * The stored credentials that these ones replace besides their own names, when an integration is connected again: a repository
   * replaces an organization. Absent: none.
   */
  replaces?(given: Credentials): readonly string[];
  /** The credentials that say, beside the secret, how calls are verified. Absent: none. */
  rules?: readonly string[];
  /** The headers of its webhooks that prove, name or describe a call. */
  headers: DeclaredHeaders;
  /** The URLs in these credentials that this server calls. They are checked before they are stored. */
  targets(credentials: Credentials): CredentialUrl[];
  verify(request: IngestRequest, credentials: Credentials): Verdict;
  receive(request: IngestRequest, credentials: Credentials): Received;
  /** The only response that the provider counts as success. Absent: 202 for a new event and 200 otherwise, with the result. */
  success?: SuccessResponse;
  /** Messages in the format of Slack's incoming webhooks, at `/ingest/{integrationId}/slack`. Absent: not accepted. */
  slack?: {
    headers: DeclaredHeaders;
    verify(request: IngestRequest, credentials: Credentials): Verdict;
    receive(request: IngestRequest, credentials: Credentials): Received;
  };
  /** Asks the provider's API whether it accepts the credentials. Absent: there is nothing to ask. */
  validate?(credentials: Credentials, tools: ProviderTools): Promise<CredentialCheck>;
  /**
   * Registers the ingest URL at the provider, or changes the webhook that is there. `null`: the credentials name no place
   * for one. Absent: the provider's API does not offer it.
   */
  register?(credentials: Credentials, ingest: Ingest, tools: ProviderTools): Promise<Registration | null>;
  /**
   * The provider calls the URL before it accepts it, so the webhook is registered in the background, once the integration exists and can
   * answer. Absent: it is registered while connecting.
   */
  registersLater?: true;
  /** Removes the webhook or, if that is not known, the one that calls the URL. Throws when it may still be there. */
  unregister?(
    credentials: Credentials,
    ingest: Pick<Ingest, 'url' | 'hook'>,
    tools: ProviderTools,
  ): Promise<void>;
  /** Sends a notification to `config.channel` or what the credentials point at. Absent: the provider takes no notifications. */
  notify?(
    connection: ProviderConnection,
    notification: Notification,
    tools: ProviderTools,
  ): Promise<NotifyResult>;
  /** Absent: the provider's API does not list past events. */
  sync?: ProviderSync;
  /** Actions of automations, by their type. Absent: there are none. */
  actions?: Readonly<Partial<Record<VendorActionName, ProviderAction>>>;
  /** Absent: it cannot be connected with OAuth. */
  oauth?: OAuth;
  setUp(ingestUrl: string, credentials: Credentials): Setup;
  /** The token that a handshake brought and that a person has to paste at the provider. Absent: there is none. */
  verificationToken?(credentials: Credentials): string | undefined;
}
