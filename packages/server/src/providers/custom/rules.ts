import type { CustomPreset, CustomVerification } from '@hubline/contract';
import type { FaultDetail } from '../../domain/faults/fault.ts';
import type { DigestEncoding } from '../signatures/hmac.ts';
import type { Credentials } from '../provider.ts';

/** How calls of a custom integration prove where they come from. */
export type CustomRules =
  | { kind: 'none' }
  | { kind: 'token'; header: string; prefix: string }
  | {
      kind: 'hmac';
      header: string;
      prefix: string;
      digest: DigestEncoding;
      /** The signed text, with `{body}`, `{timestamp}` and `{id}`. */
      signed: string;
      timestampHeader: string | null;
      toleranceSeconds: number;
      /** Holds the `{id}`. */
      idHeader: string | null;
      /** The header may hold several signatures, separated by spaces, as during a change of secrets. */
      several: boolean;
      /** A secret that begins with `whsec_` is base64 of the key. */
      whsec: boolean;
    };

const TOLERANCE_SECONDS = 300;
const PLAIN = {
  digest: 'hex',
  signed: '{body}',
  timestampHeader: null,
  idHeader: null,
  several: false,
  whsec: false,
} as const;

const PRESETS = new Map<string, CustomRules>(
  Object.entries({
    'standard-webhooks': {
      kind: 'hmac',
      header: 'webhook-signature',
      prefix: 'v1,',
      digest: 'base64',
      signed: '{id}.{timestamp}.{body}',
      timestampHeader: 'webhook-timestamp',
      toleranceSeconds: TOLERANCE_SECONDS,
      idHeader: 'webhook-id',
      several: true,
      whsec: true,
    },
    'github-style': {
      ...PLAIN,
      kind: 'hmac',
      header: 'x-hub-signature-256',
      prefix: 'sha256=',
      toleranceSeconds: TOLERANCE_SECONDS,
    },
    'slack-style': {
      ...PLAIN,
      kind: 'hmac',
      header: 'x-slack-signature',
      prefix: 'v0=',
      signed: 'v0:{timestamp}:{body}',
      timestampHeader: 'x-slack-request-timestamp',
      toleranceSeconds: TOLERANCE_SECONDS,
    },
    'shared-token': { kind: 'token', header: 'authorization', prefix: 'Bearer ' },
    none: { kind: 'none' },
  } satisfies Record<CustomPreset, CustomRules>),
);

// Most tools that sign at all do so.
const DEFAULT_PRESETS: Readonly<Record<CustomVerification, CustomPreset>> = {
  hmac: 'github-style',
  token: 'shared-token',
  none: 'none',
};

/** The rules that credentials spell out, on top of a preset. The credentials have passed `customRuleFaults`. */
export function customRules(credentials: Credentials): CustomRules {
  const { preset, verification = 'hmac', header, prefix, digest, signed } = credentials;
  const base = PRESETS.get(preset ?? DEFAULT_PRESETS[verification as CustomRules['kind']]);
  // Never fall back to what accepts more.
  if (!base) throw new Error('The credentials of a custom integration name no known rules.');
  if (base.kind === 'none') return base;
  const own = {
    header: header?.toLowerCase() ?? base.header,
    // The prefix belongs to the header of the default; a named preset is taken as a whole.
    prefix: prefix ?? (header !== undefined && preset === undefined ? '' : base.prefix),
  };
  if (base.kind === 'token') return { ...base, ...own };
  return {
    ...base,
    ...own,
    digest: (digest as DigestEncoding | undefined) ?? base.digest,
    signed: signed ?? base.signed,
    timestampHeader: credentials['timestamp_header']?.toLowerCase() ?? base.timestampHeader,
    toleranceSeconds: Number(credentials['tolerance_seconds'] ?? base.toleranceSeconds),
    idHeader: credentials['delivery_id_header']?.toLowerCase() ?? base.idHeader,
  };
}

/** The source of a custom integration's events. */
export function customSource(credentials: Credentials): string {
  return credentials['source'] ?? 'custom';
}

/** The errors of the rules that credentials spell out together. */
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
    return idle.map((name) => ({ field: `credentials.${name}`, issue: 'has no use with verification none' }));
  }
  if (rules.kind === 'token') return [];
  const signsTime = rules.signed.includes('{timestamp}');
  if (signsTime && rules.timestampHeader === null) {
    return [
      {
        field: 'credentials.timestamp_header',
        issue: 'is required, because credentials.signed has {timestamp}',
      },
    ];
  }
  if (!signsTime && rules.timestampHeader !== null) {
    return [
      {
        field: 'credentials.signed',
        issue: 'must contain {timestamp}: an unsigned timestamp proves nothing',
      },
    ];
  }
  if (rules.signed.includes('{id}') && rules.idHeader === null) {
    return [
      { field: 'credentials.delivery_id_header', issue: 'is required, because credentials.signed has {id}' },
    ];
  }
  return [];
}
