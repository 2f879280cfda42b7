import { screen, within } from '@testing-library/preact';
import type { WorkspaceHealth } from '@hubline/sdk';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { findingsOf } from '../../src/pages/health/findings.ts';
import { JOB_WORDS } from '../../src/pages/health/job-words.ts';
import { apiOf } from '../support/api-of.ts';
import { openAs, page } from '../support/open-dashboard.tsx';
import { PASSWORD, startServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

it('shows the operator the state of the server, and the problems to look at', async () => {
  await openAs(server, '/w/acme/health');
  await page('Health');
  const checks = within(await screen.findByRole('region', { name: /^Checks/ }));
  checks.getByText('No backup found');
  checks.getByText('The public URL is private');
  const { length } = checks.getAllByText(/./, { selector: 'b' });
  screen.getByText(`Healthy, with ${length} warnings`);
  const { version } = await apiOf(server).workspaces.health(server.workspaceId);
  screen.getByText(`Hubline ${version}`);
  screen.getByText('SQLite, one read');
  const jobs = within(await screen.findByRole('table', { name: 'Background jobs' }));
  jobs.getByRole('row', { name: /^Record that the server is running note_alive Scheduled 1$/ });
  // Each job has a description beside its name.
  for (const name of jobs.getAllByText(/^[a-z_]+$/, { selector: 'code' }))
    expect(JOB_WORDS).toHaveProperty([name.textContent]);
  expect(screen.getByRole('region', { name: 'Backups' }).textContent).toContain(
    'The server makes none by itself.',
  );
  expect(screen.getByRole('region', { name: 'Backups' }).textContent).toContain(
    'start it again with the command under “Every day”, which keeps the last seven.',
  );
});

it('shows the operator when the certificate expires, and why it is not renewed', async () => {
  const certificate = {
    domain: 'hub.example.com',
    authority: 'ca.test',
    expires_at: '2027-03-01T00:00:00.000Z',
    renews_at: '2027-02-01T00:00:00.000Z',
    next_try_at: null,
    last_error: 'A CAA record forbids it.',
  };
  // Only a server with a name in the DNS has a certificate: the rest of the response is the server's own.
  const known = await apiOf(server).workspaces.health(server.workspaceId);
  if (known.server === null) throw new Error('The key of the operator sees the whole server.');
  const response = { ...known, server: { ...known.server, certificate } };
  // Imported here, because the client keeps the address of the page that loads it.
  const { client } = await import('../../src/api/client.ts');
  const spy = vi.spyOn(client.workspaces, 'health').mockResolvedValue(response);
  onTestFinished(() => spy.mockRestore());
  await openAs(server, '/w/acme/health');
  await page('Health');
  const section = await screen.findByRole('region', { name: 'Certificate' });
  expect(section.textContent).toMatch(
    /For hub\.example\.com, from ca\.test: it expires .*, and renews automatically from/,
  );
  const checks = within(screen.getByRole('region', { name: /^Checks/ }));
  checks.getByText('The certificate could not be renewed');
  checks.getByText('A CAA record forbids it. It is retried automatically.');
  screen.getByText('Needs attention');
});

it('says who may see the page', async () => {
  const api = apiOf(server);
  const email = 'member@example.com';
  const { invite_url: link } = await api.members.invite(server.workspaceId, { email, role: 'member' });
  await api.invitations.accept({ token: new URL(link).searchParams.get('token') ?? '', password: PASSWORD });
  await openAs(server, '/w/acme/health', [email, PASSWORD]);
  await screen.findByText('For owners and admins');
  expect(screen.queryByText('Database')).toBeNull();
});

const NOW = Date.parse('2026-03-04T12:00:00.000Z');
const well = {
  started_at: '2026-03-04T02:00:00.000Z',
  database: { kind: 'sqlite', response_ms: 0.2 },
  sends_email: true,
  public_url: 'https://hub.example.com',
  server: {
    database_bytes: 1e9,
    free_bytes: 9e9,
    memory_bytes: 2e8,
    jobs: [{ kind: 'mail', state: 'retrying', jobs: 1 }],
    backups: [{ path: '/b/1.db', bytes: 1e9, taken_at: '2026-03-04T03:00:00.000Z', present: true }],
    backup_schedule: null,
    certificate: null,
  },
} as unknown as WorkspaceHealth;
const titles = (changes: object) =>
  findingsOf({ ...well, ...changes }, NOW).map(({ mark, title }) => `${mark} ${title}`);
const whole = (changes: object) => titles({ server: { ...well.server, ...changes } });

it('finds no problem on a healthy server, and none on one that it may not see', () => {
  expect(titles({})).toEqual([]);
  expect(titles({ server: null })).toEqual([]);
  expect(whole({ backups: null, free_bytes: null })).toEqual([]);
});

it('finds the problems that somebody has to fix', () => {
  expect(whole({ free_bytes: 1.9e9 })).toEqual(['fail The disk is nearly full']);
  expect(whole({ jobs: [{ kind: 'mail', state: 'failed', jobs: 2 }] })).toEqual([
    'fail 2 background jobs have failed',
  ]);
  const [backup] = well.server?.backups ?? [];
  expect(whole({ backups: [{ ...backup, present: false }] })).toEqual(['warn No backup found']);
  expect(whole({ backups: [{ ...backup, taken_at: '2026-02-20T03:00:00.000Z' }] })).toEqual([
    'warn The last backup is old',
  ]);
  const schedule = {
    every_seconds: 86_400,
    keep: 7,
    to: '/b',
    last_success_at: '2026-03-04T03:00:00.000Z',
    last_error: null,
  };
  expect(whole({ backup_schedule: schedule, backups: [] })).toEqual([]);
  expect(whole({ backup_schedule: { ...schedule, last_error: 'no space' } })).toEqual([
    'fail The last backup failed',
  ]);
  const late = { ...schedule, last_success_at: '2026-03-02T03:00:00.000Z' };
  expect(whole({ backup_schedule: late })).toEqual(['fail There is no recent backup']);
  const certificate = { expires_at: '2026-04-01T00:00:00.000Z', last_error: null };
  expect(whole({ certificate })).toEqual([]);
  expect(whole({ certificate: { ...certificate, last_error: 'refused' } })).toEqual([
    'fail The certificate could not be renewed',
  ]);
  expect(whole({ certificate: { expires_at: null, last_error: 'refused' } })).toEqual([
    'fail The certificate could not be obtained',
  ]);
  expect(titles({ database: { kind: 'sqlite', response_ms: 300 } })).toEqual([
    'warn The database responds slowly',
  ]);
  expect(titles({ sends_email: false, public_url: 'http://192.168.1.2:8787' })).toEqual([
    'warn The public URL is private',
    'warn Email is not sent',
  ]);
});
