import { ROLES } from '@hubline/contract/constants';
import type { Role } from '@hubline/contract/types';
import { usageError } from '../../errors/errors.ts';
import { samples } from '../../samples/samples.ts';

/** The workspaces to make. */
export interface SeedPlan {
  readonly workspaces: readonly {
    readonly name: string;
    readonly slug: string;
    readonly members: readonly { readonly email: string; readonly role: Role }[];
    /** The number of samples to publish besides the listed events. */
    readonly samples: number;
    readonly events: readonly {
      readonly type: string;
      readonly source?: string;
      readonly payload: Record<string, unknown>;
    }[];
  }[];
}

/** `demo-1`, `demo-2`, …: with a few people, and events spread over all samples. */
export function defaultPlan(workspaces: number, events: number): SeedPlan {
  return {
    workspaces: Array.from({ length: workspaces }, (_, index) => ({
      name: `Demo ${index + 1}`,
      slug: `demo-${index + 1}`,
      members: (['admin', 'member', 'viewer'] as const).map((role) => ({
        email: `${role}-${index + 1}@demo.test`,
        role,
      })),
      samples: events,
      events: [],
    })),
  };
}

/** Checks a plan from a user. Throws a usage error that names the fault. */
export function parsePlan(value: Readonly<Record<string, unknown>>): SeedPlan {
  return { workspaces: list(value['workspaces'], 'workspaces').map(parseWorkspace) };
}

function parseWorkspace(value: unknown, index: number): SeedPlan['workspaces'][number] {
  const at = `workspaces[${index}]`;
  const { name, slug, members = [], events = [], samples: count = 0 } = object(value, at);
  if (typeof slug !== 'string' || slug === '') throw usageError(`${at}.slug must be a string.`);
  if (!Number.isSafeInteger(count) || (count as number) < 0)
    throw usageError(`${at}.samples must be a whole number.`);
  return {
    name: typeof name === 'string' ? name : slug,
    slug,
    samples: count as number,
    members: list(members, `${at}.members`).map((each, position) => {
      const { email, role = 'member' } = object(each, `${at}.members[${position}]`);
      const known = ROLES.find((one) => one === role);
      if (typeof email !== 'string' || !known) {
        throw usageError(`${at}.members[${position}] needs an email, and a role of ${ROLES.join(', ')}.`);
      }
      return { email, role: known };
    }),
    events: list(events, `${at}.events`).map((each, position) => {
      const { type, source, payload = {} } = object(each, `${at}.events[${position}]`);
      if (typeof type !== 'string') throw usageError(`${at}.events[${position}].type must be a string.`);
      return {
        type,
        ...(typeof source === 'string' && { source }),
        payload: object(payload, `${at}.events[${position}].payload`),
      };
    }),
  };
}

function list(value: unknown, at: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw usageError(`${at} must be a list.`, 'See: hubline seed --help');
}

function object(value: unknown, at: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw usageError(`${at} must be an object.`);
}

/** Returns `count` sample events, each kind in turn. */
export async function sampleEvents(
  count: number,
): Promise<{ type: string; source: string; payload: Record<string, unknown> }[]> {
  const kinds = await Promise.all(
    samples.map(async ({ type, source, load }) => ({ type, source, payload: { ...(await load()) } })),
  );
  return Array.from({ length: count }, (_, index) => kinds[index % kinds.length]).filter(
    (each) => each !== undefined,
  );
}
