import { ID_ALPHABET, ID_PREFIXES, type IdKind } from '@hubline/contract';
import type { Random } from '../../random.ts';
import { chance, pick, pickKnown, weighted } from './choose.ts';
import type { JsonSchema } from './json-schemas.ts';
import { ODD_TEXTS, oddValue } from './odd-values.ts';
import type { Ids } from '../world.ts';

/** The means to make a value, and the IDs that it may name. */
export interface Making {
  random: Random;
  ids: Ids;
  /** True if the request may destroy the things that it names. It then gets only things that the run made itself. */
  destructive: boolean;
}

const CREDENTIALS: readonly string[] = [
  'token',
  'api_key',
  'team',
  'signing_token',
  'group',
  'email',
  'domain',
  'project',
  'secret',
  'webhook_secret',
  'signing_secret',
  'public_key',
  'security_token',
  'verification_token',
  'webhook_url',
  'repository',
  'preset',
  'verification',
  'header',
  'notify_url',
  'event_type_pointer',
  'source',
];

/** Good texts for fields that no schema describes, by name. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  // Nothing listens there, which the server finds out at once. TLS would cost more than all the rest of a request.
  url: [...Array<string>(9).fill('http://localhost:65535/hook'), 'https://example.com:8443/a?b=c'],
  provider: ['custom', 'custom', 'slack', 'discord', 'teams', 'github', 'gitlab', 'linear', 'jira', 'notion'],
  type: ['custom', 'push', 'deploy', 'github'],
  source: ['api', 'ci', 'github'],
  role: ['admin', 'member', 'viewer', 'none'],
  secret: ['s3cret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  slug: ['acme', 'a-b'],
  action: ['webhook.created', 'member.invited'],
  preset: ['none', 'github-style', 'standard-webhooks', 'shared-token'],
  verification: ['none', 'hmac', 'token'],
  header: ['X-Signature'],
  notify_url: ['https://example.com/notify'],
  webhook_url: [
    'https://hooks.slack.com/services/T/B/x',
    'https://discord.com/api/webhooks/1234567890123456789/x',
  ],
  event_type_pointer: ['/type'],
  repository: ['octo/repo'],
  team: ['ENG'],
  signing_token: [`whsec_${'A'.repeat(43)}=`],
  group: ['acme'],
  domain: ['acme.atlassian.net', 'gitlab.example.com'],
  project: ['acme/web', 'OPS'],
};

/** Good texts by a part of their pattern, where the name of a field says too little. */
const FORMS: readonly (readonly [part: string, texts: readonly string[]])[] = [
  ['header:', ['/type', '/id', '/user/name', 'header:X-Event']],
  ['body', ['{body}']],
];

/** A value that a schema allows. */
export function validValue(schema: JsonSchema, name: string, making: Making): unknown {
  const { random } = making;
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return validValue(pick(random, options), name, making);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) {
    // Ownership would be lost for good.
    const choices = making.destructive ? schema.enum.filter((value) => value !== 'owner') : schema.enum;
    return pick(random, choices);
  }
  const type = Array.isArray(schema.type) ? pick(random, schema.type) : schema.type;
  switch (type) {
    case 'string':
      return validText(schema, name, making);
    case 'integer':
    case 'number':
      return validNumber(schema, random);
    case 'boolean':
      return chance(random, 0.5);
    case 'null':
      return null;
    case 'array':
      return validList(schema, name, making);
    case 'object':
      return validObject(schema, name, making);
    default:
      return chance(random, 0.3) ? oddValue(random) : pick(random, [1, 'text', true, null, [1, 2], { a: 1 }]);
  }
}

function validNumber({ minimum = 0, maximum = 1_000 }: JsonSchema, random: Random): number {
  return weighted(random, [
    [1, minimum],
    [1, maximum],
    [3, random.between(minimum, maximum)],
  ]);
}

function validList(
  { items = {}, minItems = 0, maxItems = 3 }: JsonSchema,
  name: string,
  making: Making,
): unknown[] {
  const { random } = making;
  const most = chance(random, 0.005) ? maxItems : Math.min(maxItems, minItems + 3);
  const length = random.between(minItems, most);
  return Array.from({ length }, () => validValue(items, name, making));
}

function validObject(schema: JsonSchema, name: string, making: Making): Record<string, unknown> {
  const { random } = making;
  const { properties, required = [], additionalProperties } = schema;
  if (properties) {
    const given = Object.entries(properties).filter(
      ([field]) => required.includes(field) || chance(random, 0.4),
    );
    return Object.fromEntries(given.map(([field, child]) => [field, validValue(child, field, making)]));
  }
  const values = typeof additionalProperties === 'object' ? additionalProperties : {};
  const names = name === 'credentials' ? CREDENTIALS : ['a', 'b', 'message', 'n'];
  const chosen = names.filter(() => chance(random, 2 / names.length));
  return Object.fromEntries(chosen.map((field) => [field, validValue(values, field, making)]));
}

function validText(schema: JsonSchema, name: string, making: Making): string {
  const { random } = making;
  const { format, pattern, minLength = 0, maxLength = 40 } = schema;
  const kind = kindOf(pattern);
  if (kind) return pickId(kind, making);
  if (format === 'date-time') return pickTime(random);
  if (format === 'email') return `fuzz-${random.between(0, 5_000)}@example.com`;
  if (name === 'slug') return `s-${random.between(0, 1e9).toString(36)}`;
  if (name === 'token') return making.ids.takeToken() ?? 'no such token';
  const form = FORMS.find(([part]) => pattern?.includes(part));
  if (form) return pick(random, form[1]);
  // The key of a definition, which no built-in provider has.
  if (name === 'provider' && pattern) return `t-${random.between(0, 1e9).toString(36)}`;
  const known = TEXTS[name];
  if (known) return pick(random, known);
  if (pattern) return pick(random, ['push', 'deploy', 'pull_request', 't']);
  if (chance(random, 0.02)) return 'ü'.repeat(maxLength);
  if (chance(random, 0.1)) {
    const odd = ODD_TEXTS.filter((text) => text.length >= minLength && text.length <= maxLength);
    if (odd.length > 0) return pick(random, odd);
  }
  return 'Some text of a request'.padEnd(minLength, 'x').slice(0, maxLength);
}

/** The kind of ID that a pattern is for. */
export function kindOf(pattern: string | undefined): IdKind | undefined {
  const prefix = /^\^([a-z]+)_/.exec(pattern ?? '')?.[1];
  return (Object.keys(ID_PREFIXES) as IdKind[]).find((kind) => ID_PREFIXES[kind] === prefix);
}

/** An ID: mostly of something that exists; also of strangers, of nothing, or malformed. */
export function pickId(kind: IdKind, { random, ids, destructive }: Making): string {
  const unknown = `${ID_PREFIXES[kind]}_0${ID_ALPHABET.slice(0, 25)}`;
  const own = ids.world.own[kind] ?? unknown;
  // Consumes the same random numbers whatever has been made by now: the rest of the request depends on the seed alone.
  const made = pickKnown(random, ids.made.get(kind) ?? [], destructive ? unknown : own);
  return weighted<string>(random, [
    [destructive ? 0 : 16, own],
    [destructive ? 20 : 4, made],
    [2, ids.world.foreign[kind] ?? unknown],
    [1, unknown],
    [1, pick(random, ODD_TEXTS)],
  ]);
}

function pickTime(random: Random): string {
  return weighted<() => string>(random, [
    [4, () => new Date(Date.UTC(2020 + random.between(0, 6), random.between(0, 11), 1)).toISOString()],
    [2, () => '2026-01-01T00:00:00+02:00'],
    [1, () => '9999-12-31T23:59:59.999999999Z'],
    [1, () => '0001-01-01T00:00:00Z'],
  ])();
}
