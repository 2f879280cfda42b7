import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../delivery/support.ts';
import type { ReadResponse, Api } from '../support/api.ts';
import {
  invite,
  join,
  newKey,
  newStranger,
  newWorkspace,
  type TestWorkspace,
  startWorkspace,
} from '../support/workspace.ts';

let root: TestWorkspace & { stop(): Promise<void> };
let workspace: TestWorkspace;
let api: Api;
let now = new Date('2026-03-01T10:00:00.000Z');

beforeAll(async () => {
  root = await startWorkspace({ clock: () => now });
  workspace = await newWorkspace(root);
  ({ api } = workspace);
});
afterAll(() => root.stop());

const here = (from = workspace) => ({ params: { id: from.workspaceId } });
const entries = async (query: Record<string, string> = {}, from = workspace) =>
  (await api.call('auditLog.list', { ...here(from), query: { limit: '100', ...query } })).data;
const csvOf = async (query: Record<string, string> = {}, from = workspace): Promise<ReadResponse> =>
  api.send('auditLog.list', { ...here(from), query: { format: 'csv', ...query } });

/** Repeats the one entry of a new workspace this many times. */
async function multiply(own: TestWorkspace, times: number): Promise<void> {
  await openStore(own).write((tx) =>
    sql`WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${times})
      INSERT INTO audit_log (id, workspace_id, action, actor_id, actor, target_id, targets, changes, context, metadata, created_at)
      SELECT id || n, workspace_id, 'workspace.updated', actor_id, actor, target_id, targets, changes, context, metadata, created_at
      FROM audit_log, numbers WHERE workspace_id = ${own.workspaceId}`.execute(tx),
  );
}

/** Parses CSV by RFC 4180, as far as the export needs it. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,"\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
    if (end === '') break;
  }
  return rows.filter((row) => row.length > 1);
}

describe('the audit log', () => {
  it('says who did what, to what, from where', async () => {
    const { id, key } = await newKey(workspace, { name: 'auditor' });
    const { user_id, email } = await invite({ ...workspace, api: api.as(key) }, 'viewer');
    const [entry] = await entries({ action: 'member.invited' });
    expect(entry).toMatchObject({
      workspace_id: workspace.workspaceId,
      action: 'member.invited',
      actor: { type: 'api_key', id: root.userId, name: 'owner@example.com' },
      targets: [{ type: 'member', id: user_id, name: email }],
      context: { ip: '127.0.0.1', api_key_id: id },
      metadata: { role: 'viewer' },
      created_at: now.toISOString(),
    });
    expect(entry?.context.request_id).toMatch(/^req_/);
  });

  it('has an entry for every change, and none for what was refused or only read', async () => {
    const own = await newWorkspace(root);
    const change = { params: { id: own.workspaceId } };
    await api.call('workspaces.update', { ...change, body: { name: 'Changed' } });
    await api.call('workspaces.update', { ...change, body: { name: 'Changed' } });
    await api.refused('workspaces.update', 409, { ...change, body: { slug: 'acme' } });
    await api.refused('workspaces.update', 400, { ...change, body: { name: '' } });
    const member = await join(own, 'admin');
    await api.call('members.update', {
      params: { id: own.workspaceId, userId: member.userId },
      body: { role: 'member' },
    });
    await api.call('members.remove', { params: { id: own.workspaceId, userId: member.userId } });
    await api.call('workspaces.get', change);
    expect((await entries({}, own)).map(({ action }) => action)).toEqual([
      'member.removed',
      'member.role_changed',
      'api_key.created',
      'member.joined',
      'member.invited',
      'workspace.updated',
      'workspace.created',
    ]);
    const [updated] = await entries({ action: 'workspace.updated' }, own);
    expect(updated?.changes).toEqual([{ field: 'name', from: 'Other', to: 'Changed' }]);
  });

  it('is narrowed by action, actor, target and time', async () => {
    const own = await newWorkspace(root);
    const admin = await join(own, 'admin');
    now = new Date(now.getTime() + 60_000);
    const { user_id } = await invite({ ...own, api: admin.own }, 'viewer');
    expect((await entries({ actor: admin.userId }, own)).map(({ action }) => action)).toEqual([
      'member.invited',
      'api_key.created',
      'member.joined',
    ]);
    expect(await entries({ target: user_id }, own)).toHaveLength(1);
    expect(await entries({ action: 'nothing' }, own)).toEqual([]);
    const since = new Date(now.getTime() - 1).toISOString();
    expect((await entries({ since }, own)).map(({ targets }) => targets[0]?.id)).toEqual([user_id]);
    expect((await entries({ until: since }, own)).map(({ action }) => action)).toEqual([
      'api_key.created',
      'member.joined',
      'member.invited',
      'workspace.created',
    ]);
    for (const query of [{ since: 'yesterday' }, { until: '2026-01-01' }, { format: 'xml' }, { limit: '0' }])
      await api.refused('auditLog.list', 400, { ...here(own), query });
  });

  it('has the entries of its own workspace only', async () => {
    const stranger = await newStranger(root);
    expect(
      (await entries({}, workspace)).every(({ workspace_id }) => workspace_id === workspace.workspaceId),
    ).toBe(true);
    await stranger.api.refused('auditLog.list', 404, here());
  });

  it('has no secret in it', async () => {
    const own = await newWorkspace(root);
    const secrets = ['the-first-secret', 'the-second-secret', 'the-credential'];
    const { id } = await api.call('webhooks.create', {
      body: { url: 'https://example.com', events: ['*'], workspace_id: own.workspaceId, secret: secrets[0] },
    });
    await api.call('webhooks.rotateSecret', { params: { webhookId: id }, body: { secret: secrets[1] } });
    await api.call('integrations.connect', {
      body: { provider: 'custom', workspace_id: own.workspaceId, credentials: { secret: secrets[2] } },
    });
    const { key, id: keyId } = await newKey(own);
    const rotated = await api.call('apiKeys.rotate', { params: { id: own.workspaceId, keyId }, body: {} });
    const { token } = await invite(own, 'viewer');
    const text = (await csvOf({}, own)).text + JSON.stringify(await entries({}, own));
    for (const secret of [...secrets, key, rotated.key, token]) expect(text).not.toContain(secret);
  });
});

describe('the export as CSV', () => {
  it.each([
    ['text/csv;q=0, application/json', 'application/json'],
    ['application/json, text/csv;q=0.5', 'application/json'],
    ['text/csv;q=0.5, */*', 'application/json'],
    ['application/json;q=0.5, TEXT/CSV', 'text/csv; charset=utf-8'],
    ['text/csv; header=present; q=0.9, */*;q=0.8', 'text/csv; charset=utf-8'],
  ])('answers Accept: %s with %s', async (accept, type) => {
    const response = await api.send('auditLog.list', { ...here(), headers: { Accept: accept } });
    expect(response.headers.get('content-type')).toBe(type);
  });

  it('has no pages: a cursor is refused', async () => {
    const { status, text } = await csvOf({ cursor: 'x' });
    expect([status, text]).toEqual([400, expect.stringContaining('cursor must be absent for CSV')]);
  });

  it('is asked for by format or by Accept', async () => {
    const byFormat = await csvOf();
    expect(byFormat.status).toBe(200);
    expect(byFormat.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(byFormat.headers.get('content-disposition')).toMatch(
      /^attachment; filename="audit-log-2026-03-01\.csv"$/,
    );
    expect(byFormat.headers.get('x-content-type-options')).toBe('nosniff');
    const byAccept = await api.send('auditLog.list', { ...here(), headers: { Accept: 'text/csv' } });
    expect(byAccept.text).toBe(byFormat.text);
    const json = await api.send('auditLog.list', {
      ...here(),
      query: { format: 'json' },
      headers: { Accept: 'text/csv' },
    });
    expect(json.headers.get('content-type')).toBe('application/json');
  });

  it('has every entry, however many, in the order of the list', async () => {
    const own = await newWorkspace(root);
    await multiply(own, 1_200);
    const [header, ...rows] = parseCsv((await csvOf({}, own)).text);
    expect(header?.slice(0, 3)).toEqual(['id', 'created_at', 'action']);
    expect(rows).toHaveLength(1_201);
    expect(new Set(rows.map(([id]) => id)).size).toBe(1_201);
    expect(rows.slice(0, 100).map(([id]) => id)).toEqual((await entries({}, own)).map(({ id }) => id));
    expect(parseCsv((await csvOf({ action: 'workspace.created' }, own)).text)).toHaveLength(2);
  });

  it.each(['=cmd|calc!A1', '+1', '-1', '@SUM(1)', '"quoted", and = inside'])(
    'neither runs in a spreadsheet nor breaks its rows: %j',
    async (name) => {
      const own = await newWorkspace(root);
      const made = await newKey(own, { name });
      const { text } = await csvOf({ action: 'api_key.created' }, own);
      const [header = [], row = [], ...rest] = parseCsv(text);
      expect(rest).toEqual([]);
      const cell = row[header.indexOf('target_name')] ?? '';
      expect(cell.replace(/^'/, '')).toBe(made.name);
      expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    },
  );

  it('does not run the user agent of a caller either', async () => {
    const own = await newWorkspace(root);
    await api.call('workspaces.update', {
      params: { id: own.workspaceId },
      body: { name: 'By a strange agent' },
      headers: { 'User-Agent': '=HYPERLINK("http://evil.example")' },
    });
    const [header = [], row = []] = parseCsv((await csvOf({ action: 'workspace.updated' }, own)).text);
    expect(row[header.indexOf('user_agent')]).toBe('\'=HYPERLINK("http://evil.example")');
  });

  it('whose reader goes away disturbs no other request', async () => {
    const url = `${api.baseUrl}/workspaces/${workspace.workspaceId}/audit-log?format=csv`;
    for (let index = 0; index < 5; index++) {
      const response = await fetch(url, { headers: { Authorization: `Bearer ${api.key}` } });
      await response.body?.cancel();
    }
    expect((await csvOf()).status).toBe(200);
  });

  it('is cut off, and has no regular end, when it cannot be read completely', async () => {
    const own = await newWorkspace(root);
    // More than the network buffers hold before the reader reads.
    await multiply(own, 50_000);
    const store = openStore(own);
    const response = await fetch(`${own.api.baseUrl}/workspaces/${own.workspaceId}/audit-log?format=csv`, {
      headers: { Authorization: `Bearer ${own.api.key}` },
    });
    const rename = (from: string, to: string) =>
      store.write((tx) => tx.schema.alterTable(from).renameTo(to).execute());
    await rename('audit_log', 'audit_log_gone');
    await expect(response.text()).rejects.toThrow();
    await rename('audit_log_gone', 'audit_log');
    expect((await csvOf()).status).toBe(200);
  });
});
