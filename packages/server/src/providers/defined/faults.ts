import type { FaultDetail } from '../../domain/faults/fault.ts';
import type { Verification } from './definition.ts';

/** The errors of rules whose parts contradict each other. */
export function verificationFaults(rules: Verification): FaultDetail[] {
  const fault = (field: string, issue: string) => ({ field: `verification.${field}`, issue });
  if (rules.kind !== 'hmac' && rules.kind !== 'ed25519') return [];
  const { signed = '{body}', timestamp } = rules;
  const signsTime = signed.includes('{timestamp}');
  const signsId = signed.includes('{id}');
  return [
    ...(signsTime && !timestamp
      ? [fault('timestamp', 'is required, because verification.signed has {timestamp}')]
      : []),
    ...(!signsTime && timestamp
      ? [fault('signed', 'must contain {timestamp}, or leave out timestamp: an unsigned time proves nothing')]
      : []),
    ...(signsId && rules.id_header === undefined
      ? [fault('id_header', 'is required, because verification.signed has {id}')]
      : []),
    ...(!signsId && rules.id_header !== undefined
      ? [fault('id_header', 'is not used, because verification.signed has no {id}; name it in dedupe_key')]
      : []),
    ...(timestamp?.prefix !== undefined && rules.separator === undefined
      ? [fault('separator', 'is required, because timestamp.prefix tells elements of a header apart')]
      : []),
    ...(timestamp && timestamp.prefix === undefined && same(timestamp.header, rules.header)
      ? [fault('timestamp.prefix', 'is required, because the time is in the header of the signature')]
      : []),
    ...(timestamp?.prefix !== undefined && timestamp.prefix === (rules.prefix ?? '')
      ? [fault('timestamp.prefix', 'must differ from verification.prefix, which marks the signature')]
      : []),
  ];
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
