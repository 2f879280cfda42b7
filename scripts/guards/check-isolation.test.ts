import { describe, expect, it } from 'vitest';
import { foundByIdAlone, isolationProblems } from './check-isolation.ts';

describe('a function of db/', () => {
  it.each([
    ['takes an ID', 'export async function find(db: Db, id: string) {}'],
    ['takes an ID of something else', 'export function list(db: Db, webhookId: string) {}'],
    ['takes IDs', 'export function list(db: Db, ids: readonly string[]) {}'],
    ['takes an ID in an object', 'export function end(tx: Tx, { id, now }: { id: string; now: string }) {}'],
    ['takes an ID or none', 'export function list(db: Db, webhookId: string | null) {}'],
    ['takes a set of IDs', 'export function list(db: Db, ids: ReadonlySet<string>) {}'],
    ['is a cached query', "export const find = cachedRow<{ id: string }, Row, 'webhooks'>('any', q);"],
    ['is held by a constant', 'export const find = async (db: Db, id: string): Promise<Row> => row;'],
    ['takes an ID in its own type', 'interface End { id: string }\nexport function end(tx: Tx, e: End) {}'],
  ])('that %s reaches a row by its ID alone', (_, text) => {
    expect(foundByIdAlone(text)).toHaveLength(1);
  });

  it.each([
    ['takes the workspace as well', 'export function find(db: Db, workspaceId: string, id: string) {}'],
    ['takes the user as well', 'export function find(db: Db, userId: string, id: string) {}'],
    [
      'takes the workspace in a filter',
      'interface Filter { workspaceId: string }\nexport function list(db: Db, f: Filter, ids: readonly string[]) {}',
    ],
    ['takes a row', "export function end(tx: Tx, webhook: Pick<WebhookRow, 'id'>) {}"],
    [
      'takes the workspace or none',
      'export function list(db: Db, workspaceId: string | null, id: string) {}',
    ],
    ['takes no ID', 'export function list(db: Db, limit: number) {}'],
    ['takes no database', 'export const timeOfId = (id: string): number => time;'],
    ['is not exported', 'function find(db: Db, id: string) {}'],
    ['is a constant that is not exported', 'const find = (db: Db, id: string) => row;'],
  ])('that %s does not', (_, text) => {
    expect(foundByIdAlone(text)).toEqual([]);
  });
});

describe('a service', () => {
  const unsafe = new Set(['findWebhookById']);
  const text = "import { findWebhookById as find, listWebhooks } from '../db/webhooks.ts';";

  it('is refused if it finds by ID alone', () => {
    expect(isolationProblems('services/webhooks/webhooks.ts', text, unsafe)).toEqual([
      'services/webhooks/webhooks.ts imports findWebhookById, which finds a row by its ID alone: give it the workspace',
    ]);
  });

  it.each([
    "import * as webhooks from '../db/webhooks.ts';",
    "const all = await import('../db/webhooks.ts');",
  ])('imports from db/ by name: %s is refused', (whole) =>
    expect(isolationProblems('services/webhooks/webhooks.ts', whole, unsafe)).toHaveLength(1),
  );

  it('does not query by itself', () => {
    const query = "context.store.read.selectFrom('webhooks')";
    expect(isolationProblems('services/webhooks/webhooks.ts', query, unsafe)).toHaveLength(1);
  });

  it('may find by ID alone if it works for all workspaces', () => {
    expect(isolationProblems('services/delivery-store/claim.ts', text, unsafe)).toEqual([]);
  });
});
