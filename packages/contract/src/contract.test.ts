import { describe, expect, it } from 'vitest';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints/index.ts';
import { isId } from './constants/ids.ts';
import { outranks, roleAllows, ROLES, weakerRole } from './constants/roles.ts';
import { SCOPES, scopesAllow, scopesCover } from './constants/scopes.ts';
import { displayName, email, eventName, isTimestamp, slug } from './text.ts';

const rows = Object.entries<Endpoint>(endpoints);

/** Rows that store nothing and are a POST only because their input is too large for a query. */
const COMPUTING: ReadonlySet<string> = new Set(['providers.preview']);

describe('the endpoints table', () => {
  it('names every parameter of a path, and no other', () => {
    for (const [name, row] of rows) {
      const inPath = [...row.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect(Object.keys(row.params?.shape ?? {}), name).toEqual(inPath);
    }
  });

  it('has no two rows with the same method and path', () => {
    const routes = rows.map(([, row]) => `${row.method} ${row.path.replaceAll(/\{\w+\}/g, '{}')}`);
    expect(new Set(routes).size).toBe(routes.length);
  });

  it('has the status 204 exactly where there is no response body', () => {
    for (const [name, row] of rows) expect(row.status === 204, name).toBe(row.response === undefined);
  });

  it('treats every authenticated POST, PATCH and DELETE as a write, except those that only compute', () => {
    for (const [name, row] of rows) {
      const isWrite = row.method !== 'GET' && row.access.kind !== 'public' && !COMPUTING.has(name);
      expect(row.write, name).toBe(isWrite);
    }
  });

  it('asks writes for a write scope and reads for a read scope', () => {
    for (const [name, row] of rows) {
      if (row.access.kind === 'public' || row.access.scope === null) continue;
      expect(row.access.scope.split(':')[1], name).toBe(row.write ? 'write' : 'read');
    }
  });

  it('points every variant at an endpoint that exists', () => {
    for (const [name, row] of rows)
      if (row.variantOf) expect(endpoints, name).toHaveProperty([row.variantOf]);
  });
});

describe('roles', () => {
  it('follow the table of the specification', () => {
    const allowed = (permission: Parameters<typeof roleAllows>[1]) =>
      ROLES.filter((role) => roleAllows(role, permission));
    expect(allowed('manage_billing')).toEqual(['owner']);
    expect(allowed('delete_workspace')).toEqual(['owner']);
    expect(allowed('manage_integrations')).toEqual(['owner', 'admin']);
    expect(allowed('manage_members')).toEqual(['owner', 'admin']);
    expect(allowed('manage_api_keys')).toEqual(['owner', 'admin']);
    expect(allowed('edit_automations')).toEqual(['owner', 'admin', 'member']);
    expect(allowed('view')).toEqual([...ROLES]);
    expect(allowed('receive_notifications')).toEqual([...ROLES]);
  });

  it('are ordered from the strongest to the weakest', () => {
    expect(weakerRole('owner', 'viewer')).toBe('viewer');
    expect(weakerRole('member', 'admin')).toBe('member');
    expect(outranks('owner', 'admin')).toBe(true);
    expect(outranks('admin', 'admin')).toBe(false);
  });
});

describe('scopes', () => {
  it('are granted one by one or all at once', () => {
    expect(SCOPES).toHaveLength(18);
    expect(scopesAllow(['*'], 'events:write')).toBe(true);
    expect(scopesAllow(['events:write'], 'events:read')).toBe(false);
    expect(scopesCover(['events:read'], ['events:read', 'events:write'])).toBe(false);
    expect(scopesCover(['*'], ['*'])).toBe(true);
    expect(scopesCover(['events:read'], ['*'])).toBe(false);
  });
});

describe('ids', () => {
  it('have a prefix, 26 characters and one spelling', () => {
    expect(isId('workspace', 'ws_01j9zk3v5q8r2t4w6y7a0b1c2d')).toBe(true);
    expect(isId('workspace', 'ws_01J9ZK3V5Q8R2T4W6Y7A0B1C2D')).toBe(false);
    expect(isId('workspace', 'ws_81j9zk3v5q8r2t4w6y7a0b1c2d')).toBe(false);
    expect(isId('workspace', 'usr_01j9zk3v5q8r2t4w6y7a0b1c2d')).toBe(false);
    expect(isId('workspace', 'ws_01j9zk3v5q8r2t4w6y7a0b1c2d\n')).toBe(false);
  });
});

describe('text', () => {
  it.each([
    ['2026-01-02T03:04:05Z', true],
    ['2026-01-02T03:04:05.123456Z', true],
    ['2026-01-02T03:04:05+02:00', true],
    ['2024-02-29T00:00:00Z', true],
    ['1', false],
    ['2026-01-01', false],
    ['2026-02-30T00:00:00Z', false],
    ['2026-01-01T00:00:00', false],
    ['2026-01-01T00:00:00+25:00', false],
    ['2026-01-01T24:00:00Z', false],
    ['2026-13-01T00:00:00Z', false],
  ])('judges the timestamp %s: %s', (value, good) => {
    expect(isTimestamp(value)).toBe(good);
  });

  it('lower-cases and trims an email address', () => {
    expect(email.parse(' Ana@Example.COM ')).toBe('ana@example.com');
    expect(email.parse("o'brien+x@münchen.de")).toBe("o'brien+x@xn--mnchen-3ya.de");
  });

  it.each([
    'ana',
    'ana@',
    '@example.com',
    'a b@example.com',
    'ana@localhost',
    'ana@example..com',
    `${'a'.repeat(250)}@b.co`,
  ])('refuses the email address %s', (value) => {
    expect(email.safeParse(value).success).toBe(false);
  });

  it('counts the characters of a name, not its UTF-16 units', () => {
    expect(displayName.safeParse('🙂'.repeat(100)).success).toBe(true);
    expect(displayName.safeParse('🙂'.repeat(101)).success).toBe(false);
  });

  it.each(['👩‍💻', 'می‌خواهم', '日本語', "Ana's; <b>"])('takes the name %j', (value) => {
    expect(displayName.parse(value)).toBe(value);
  });

  it.each(['', '   ', 'a\0b', '\ud800', 'a\nb', 'a\u2028b', 'a\u202eb', '\u200b', '\u{e0061}'])(
    'refuses the name %j',
    (value) => {
      expect(displayName.safeParse(value).success).toBe(false);
    },
  );

  it.each(['', '-a', '.', 'a b', 'ä', 'a'.repeat(101)])('refuses the event type or source %j', (value) => {
    expect(eventName.safeParse(value).success).toBe(false);
  });

  it.each(['a', 'A-b', 'a_b', 'a'.repeat(51), 'ä-b'])('refuses the slug %s', (value) => {
    expect(slug.safeParse(value).success).toBe(false);
  });
});
