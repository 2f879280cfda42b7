import type { CustomPreset, CustomVerification } from '@hubline/contract';
import type { FaultDetail } from '../../../domain/faults/fault.ts';
import type { Signature, Verification } from '../../defined/definition.ts';
import type { ReadingRules } from '../../defined/ingest/receive.ts';
import { standardWebhooks } from '../../presets/standard-webhooks.ts';
import type { Credentials } from '../../provider.ts';

/** The verification of a custom integration: the simplest kinds that a definition can have. */
export type CustomRules = Extract<Verification, { kind: 'none' | 'token' | 'hmac' }>;

const PRESETS = new Map<string, CustomRules>(
  Object.entries({
    'standard-webhooks': standardWebhooks.definition.verification as CustomRules,
    'github-style': { kind: 'hmac', header: 'x-hub-signature-256', prefix: 'sha256=' },
    'slack-style': {
      kind: 'hmac',
      header: 'x-slack-signature',
      prefix: 'v0=',
      signed: 'v0:{timestamp}:{body}',
      timestamp: { header: 'x-slack-request-timestamp' },
    },
    'shared-token': { kind: 'token', header: 'authorization', prefix: 'Bearer ' },
    none: { kind: 'none' },
  } satisfies Record<CustomPreset, CustomRules>),
);

// Most tools that sign do it in GitHub's style.
const DEFAULT_PRESETS: Readonly<Record<CustomVerification, CustomPreset>> = {
  hmac: 'github-style',
  token: 'shared-token',
  none: 'none',
};

/** The credentials that say how calls are verified: a new preset or kind of proof begins without the old ones. */
export const PROOF_RULES: readonly string[] = [
  'preset',
  'verification',
  'header',
  'prefix',
  'digest',
  'signed',
  'timestamp_header',
  'tolerance_seconds',
  'delivery_id_header',
];

/** The rules that credentials spell out, on top of a preset. The credentials have passed `customRuleFaults`. */
export function customRules(credentials: Credentials): CustomRules {
  const { preset, verification = 'hmac', header, prefix } = credentials;
  const base = PRESETS.get(preset ?? DEFAULT_PRESETS[verification as CustomRules['kind']]);
  // Never fall back to rules that accept more calls.
  if (!base) throw new Error('The credentials of a custom integration name no known rules.');
  if (base.kind === 'none') return base;
  const own = {
    header: header ?? base.header,
    // The default prefix belongs to the default header. A named preset keeps its prefix with any header.
    prefix: prefix ?? (header !== undefined && preset === undefined ? '' : base.prefix),
  };
  return base.kind === 'token'
    ? { ...base, ...own }
    : { ...base, ...own, ...signatureRules(base, credentials) };
}

function signatureRules(base: CustomRules & { kind: 'hmac' }, credentials: Credentials) {
  const { digest, signed = base.signed, timestamp_header, tolerance_seconds } = credentials;
  const header = timestamp_header ?? base.timestamp?.header;
  const seconds = tolerance_seconds ?? base.timestamp?.tolerance_seconds;
  return {
    encoding: (digest as Signature['encoding']) ?? base.encoding,
    signed,
    timestamp:
      header === undefined
        ? undefined
        : { header, ...(seconds !== undefined && { tolerance_seconds: Number(seconds) }) },
    // The header of the delivery ID also identifies calls, whether it is signed or not.
    id_header: credentials['delivery_id_header'] ?? base.id_header,
  };
}

/** The rules by which calls of a custom integration are read. */
export function customReading(credentials: Credentials): ReadingRules {
  return {
    event_type: { from: placesOf('event_type', credentials) },
    dedupe_key: placesOf('delivery_id', credentials),
    fallbackType: 'custom',
    source: customSource(credentials),
  };
}

// The header goes before the pointer.
function placesOf(what: 'event_type' | 'delivery_id', credentials: Credentials): string[] {
  const header = credentials[`${what}_header`];
  const pointer = credentials[`${what}_pointer`];
  return [header === undefined ? undefined : `header:${header}`, pointer].filter(
    (place) => place !== undefined,
  );
}

/** The source of a custom integration's events. */
export function customSource(credentials: Credentials): string {
  return credentials['source'] ?? 'custom';
}

/** The errors of credentials whose rules contradict each other. */
export function customRuleFaults(credentials: Credentials): FaultDetail[] {
  const rules = customRules(credentials);
  const { preset, verification } = credentials;
  if (preset !== undefined && verification !== undefined && rules.kind !== verification) {
    return [
      { field: 'credentials.verification', issue: `contradicts the preset, which means ${rules.kind}` },
    ];
  }
  if (rules.kind === 'none') {
    const idle = ['secret', 'header', 'prefix'].filter((name) => credentials[name] !== undefined);
    return idle.map((name) => ({
      field: `credentials.${name}`,
      issue: 'is not used when verification is none',
    }));
  }
  if (credentials['url_token'] !== undefined) {
    return [{ field: 'credentials.url_token', issue: 'is used only when verification is none' }];
  }
  if (rules.kind === 'token') return [];
  const { signed = '{body}', timestamp, id_header: idHeader } = rules;
  const signsTime = signed.includes('{timestamp}');
  if (signsTime && timestamp === undefined) {
    return [
      {
        field: 'credentials.timestamp_header',
        issue: 'is required, because credentials.signed has {timestamp}',
      },
    ];
  }
  if (!signsTime && timestamp !== undefined) {
    return [
      {
        field: 'credentials.signed',
        issue: 'must contain {timestamp}: an unsigned timestamp proves nothing',
      },
    ];
  }
  if (signed.includes('{id}') && idHeader === undefined) {
    return [
      { field: 'credentials.delivery_id_header', issue: 'is required, because credentials.signed has {id}' },
    ];
  }
  return [];
}
