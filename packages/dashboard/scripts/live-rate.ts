/**
 * Measures the events page while events arrive: 200 a second for a minute, each delivered to one webhook. Prints the frames per
 * second, the number of elements on the page, and how long a row took to show its delivery. Exits with 1 if one of them breaks the
 * budget. Run it on a machine that does nothing else.
 *
 *   npx -y pnpm@12 live-rate [seconds]
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseServerConfig, seedDatabase, startServer } from '@hubline/server';
import { Hubline } from '@hubline/sdk';
import { buildDashboard } from '../../../scripts/build-dashboard.ts';
import { launch } from '../test/support/browser/chromium.ts';

const RATE = 200;
const BATCHES_A_SECOND = 10;
const BUDGET = { fps: 50, elements: 20_000, settledMs: 2_000 };
const seconds = Number(process.argv[2] ?? 60);

/** Runs in the page: counts frames, and checks four times a second which rows show a finished delivery. */
const WATCH = `(() => {
  const seen = new Map();
  const watch = (window.watch = { frames: 0, began: performance.now(), elements: 0, slowest: 0, late: 0, rows: 0 });
  const frame = () => { watch.frames++; requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  setInterval(() => {
    const now = performance.now();
    watch.elements = Math.max(watch.elements, document.querySelectorAll('*').length);
    for (const row of document.querySelectorAll('a.ev')) {
      const known = seen.get(row.href) ?? { at: now, done: false };
      seen.set(row.href, known);
      if (known.done) continue;
      known.done = row.textContent.includes('1 delivered');
      if (known.done) watch.slowest = Math.max(watch.slowest, now - known.at);
      else if (now - known.at > ${BUDGET.settledMs}) watch.late++;
    }
    watch.rows = seen.size;
  }, 250);
})()`;

interface Watched {
  readonly frames: number;
  readonly began: number;
  readonly elements: number;
  readonly slowest: number;
  readonly late: number;
  readonly rows: number;
}

const receiver = createServer((request, response) => {
  request.resume();
  response.end();
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
const data = mkdtempSync(join(tmpdir(), 'hubline-live-'));
const config = parseServerConfig(
  { data, port: 0, logLevel: 'error', rateLimit: 1_000_000, allowHttpLocalhost: true },
  {},
);
try {
  const owner = await seedDatabase(config, { days: 1, eventsPerDay: 1 });
  if (!owner) throw new Error('The new database has an owner already.');
  await using server = await startServer(config, { dashboard: `${buildDashboard()}/` });
  const client = new Hubline({ apiKey: owner.key, baseURL: server.baseUrl });
  for await (const { id } of client.webhooks.list({ workspace_id: owner.workspaceId }))
    await client.webhooks.delete(id);
  await client.webhooks.create({
    workspace_id: owner.workspaceId,
    url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    events: ['event.created'],
    secret: 'a secret of sixteen',
  });
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${server.url}/login`);
    await page.getByLabel('Email').fill(owner.email);
    await page.getByLabel('Password').fill(owner.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.goto(`${server.url}/w/fernhill/events?type=burst`);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.evaluate(WATCH);
    const began = performance.now();
    for (let sent = 0; sent < seconds * BATCHES_A_SECOND; sent++) {
      const events = Array.from({ length: RATE / BATCHES_A_SECOND }, (_, n) => ({
        type: 'burst',
        payload: { n: sent * BATCHES_A_SECOND + n },
      }));
      await client.events.publishBatch(owner.workspaceId, { events });
      await sleep(Math.max(0, began + ((sent + 1) * 1_000) / BATCHES_A_SECOND - performance.now()));
    }
    const took = performance.now() - began;
    const watched = await page.evaluate<Watched>(
      '({ ...window.watch, began: performance.now() - window.watch.began })',
    );
    const fps = watched.frames / (watched.began / 1_000);
    const lines = [
      `${Math.round((seconds * RATE * 1_000) / took)} events a second for ${Math.round(took / 1_000)} s`,
      `${Math.round(fps)} frames a second, at least ${BUDGET.fps}`,
      `${watched.elements} elements, at most ${BUDGET.elements}`,
      `${watched.rows} rows; the slowest showed its delivery after ${Math.round(watched.slowest)} ms, ${watched.late} checks found one later than ${BUDGET.settledMs} ms`,
    ];
    for (const line of lines) console.log(line);
    if (fps < BUDGET.fps || watched.elements > BUDGET.elements || watched.late > 0) process.exitCode = 1;
  } finally {
    await browser.close();
  }
} finally {
  receiver.close();
  receiver.closeAllConnections();
  rmSync(data, { recursive: true, force: true });
}
