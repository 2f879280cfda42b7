import type { ProviderDefinition, ProviderDefinitionCreate, ProviderDefinitionUpdate } from '@hubline/sdk';
import { differing } from '../../../components/schema/spec.ts';

/** A definition to begin with, where no preset fits. */
export const SKELETON: ProviderDefinitionCreate = {
  provider: 'my-tool',
  name: 'My tool',
  verification: { kind: 'hmac', header: 'X-Signature', prefix: 'sha256=' },
  event_type: { from: ['/type'] },
  dedupe_key: ['/id'],
  summary: { text: ['/message'], actor: { name: ['/user/name'] } },
};

/** A definition as people edit it. */
export const printDefinition = (definition: object): string => JSON.stringify(definition, null, 2);

/** The definition in a text; `undefined` when it is not a JSON object. */
export function parseDefinition(text: string): ProviderDefinitionCreate | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    // The server judges the fields.
    return isObject ? (value as ProviderDefinitionCreate) : undefined;
  } catch {
    return undefined;
  }
}

// Listed by name, because a newer server may add other fields to a provider.
const WRITTEN = {
  provider: true,
  name: true,
  description: true,
  verification: true,
  issues_secret: true,
  event_type: true,
  dedupe_key: true,
  pings: true,
  handshake: true,
  summary: true,
  setup_steps: true,
} satisfies Record<keyof ProviderDefinitionCreate, true>;

/** The part of a stored definition that people write. */
export const writtenPart = (definition: ProviderDefinition): ProviderDefinitionCreate =>
  Object.fromEntries(
    Object.entries(definition).filter(([field]) => field in WRITTEN),
  ) as unknown as ProviderDefinitionCreate;

/** The changes that turn one definition into another. Fields that are left out are removed, except the key, which cannot be changed. */
export function changesTo(
  before: ProviderDefinition,
  after: ProviderDefinitionCreate,
): ProviderDefinitionUpdate {
  const { provider: _, ...others } = writtenPart(before);
  const emptied = Object.keys(others).map((field) => [field, null] as const);
  return differing({ ...Object.fromEntries(emptied), ...after }, before);
}

/** Headers as people paste them, one `Name: value` a line. */
export function parseHeaders(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.includes(':'));
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

/** Headers as such a text. */
export const printHeaders = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
