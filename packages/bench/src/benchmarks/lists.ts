import { startHubline } from '../contenders/hubline-server.ts';
import { Load } from '../load/load.ts';
import type { Options } from '../options.ts';
import { temporaryFolder } from '../process/temporary-folder.ts';
import { progress } from '../report/progress.ts';
import type { Result } from '../report/result.ts';
import { median } from '../statistics.ts';
import { storeDelivered } from './stored-deliveries.ts';

const ROWS = 1_000_000;
/** A delay that a person does not notice. */
const GOAL_MS = 300;

/** Queries of the dashboard's timeline. Those that find nothing scan as many rows as a request may. */
const QUERIES: Readonly<Record<string, string>> = {
  first_page: '',
  type: 'type=deploy',
  type_unknown: 'type=other',
  source: 'source=bench',
  time: 'since=2019-01-01T00:00:00Z&until=2019-06-01T00:00:00Z',
  status: 'delivery_status=delivered',
  status_unknown: 'delivery_status=failed',
  search: 'q=deploy',
  search_unknown: 'q=nothing-like-this',
  search_words_unknown: 'q=nothing+like+this+at+all',
  search_id: 'q=evt_06f8xw2b3c4d5e6f7g8h9j0kmn',
  search_payload: 'q=payload.mark%3D000000000.0000000000000000',
  search_payload_unknown: 'q=payload.mark%3Dother',
  search_payload_text_unknown: 'q=payload%3Aother',
  search_and_type: 'q=nothing-like-this&type=deploy',
};

/** Measures the first page of a million events, as the dashboard asks for it, with each of its filters. */
export async function lists(options: Options): Promise<Result> {
  using folder = temporaryFolder();
  await using load = new Load();
  progress(`storing ${ROWS} events`);
  const stored = await storeDelivered(load, options, { folder: folder.path, rows: ROWS });
  await using server = await startHubline(stored, options);
  const times = new Map<string, number[]>(Object.keys(QUERIES).map((name) => [name, []]));
  for (let round = 0; round <= options.rounds; round += 1) {
    for (const [name, query] of Object.entries(QUERIES)) {
      progress(`round ${round} of ${options.rounds}: ${name}`);
      const path = `/workspaces/${stored.workspaceId}/events?include=deliveries&omit=payload&limit=50&${query}`;
      const took = await timed(server.target(path));
      // Round 0 compiles the code and fills the caches.
      if (round > 0) times.get(name)?.push(took);
    }
  }
  const rows = [...times].map(([name, all]) => [name, QUERIES[name] ?? '', median(all)] as const);
  return {
    tables: [
      {
        title: `The first page of ${ROWS} events`,
        columns: ['query', 'filter', 'ms'],
        rows: rows.map(([name, filter, ms]) => [name, filter, ms.toFixed(1)]),
      },
    ],
    notes: [
      'A request looks at 5,000 rows at most where no index helps, at 1,000 payloads, and says where it stopped.',
    ],
    figures: Object.fromEntries(rows.map(([name, , ms]) => [`ms_${name}`, ms])),
    goals: Object.fromEntries(rows.map(([name]) => [`ms_${name}`, { atMost: GOAL_MS }])),
  };
}

/** Milliseconds from the request until its response is read. */
async function timed({
  port,
  path,
  headers,
}: {
  port: number;
  path: string;
  headers?: object;
}): Promise<number> {
  const started = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { ...headers } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${text}`);
  return performance.now() - started;
}
