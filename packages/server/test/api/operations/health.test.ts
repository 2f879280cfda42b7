import { HEADERS } from '@hubline/contract';
import { describe, expect, it } from 'vitest';
import { onSqlite, startWorkspace } from '../support/workspace.ts';

const PATHS = ['/livez', '/readyz'];

const commitsOf = async (url: string) =>
  Number(/^hubline_commit_units_count (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);

describe('the health endpoints', () => {
  it.each(PATHS)('respond to everybody, without a limit, and say nothing else: %s', async (path) => {
    const workspace = await startWorkspace({ flags: { rateLimit: 1 } });
    try {
      for (let index = 0; index < 5; index++) {
        const response = await fetch(`${workspace.server.url}${path}`);
        expect([response.status, await response.text()]).toEqual([200, '{"status":"ok"}']);
        expect(response.headers.get('cache-control')).toBe('no-store');
      }
    } finally {
      await workspace.stop();
    }
  });

  it('carry a request ID, another one each time', async () => {
    const workspace = await startWorkspace();
    try {
      const ids = new Set<string | null>();
      for (const path of [...PATHS, ...PATHS]) {
        const { headers } = await fetch(`${workspace.server.url}${path}`);
        expect(headers.get(HEADERS.requestId)).toMatch(/^req_[0-9a-z]{26}$/);
        ids.add(headers.get(HEADERS.requestId));
      }
      expect(ids.size).toBe(4);
    } finally {
      await workspace.stop();
    }
  });

  if (onSqlite)
    it('cost at most one commit a second, however many ask', async () => {
      const time = { ms: 0 };
      const workspace = await startWorkspace({ monotonic: () => time.ms });
      const { url } = workspace.server;
      const ask = () => fetch(`${url}/readyz`).then((response) => response.status);
      try {
        const before = await commitsOf(url);
        expect(new Set(await Promise.all(Array.from({ length: 50 }, ask)))).toEqual(new Set([200]));
        for (let index = 0; index < 5; index++) expect(await ask()).toBe(200);
        time.ms = 999;
        await ask();
        expect(await commitsOf(url)).toBe(before + 1);
        time.ms = 1_000;
        await Promise.all(Array.from({ length: 50 }, ask));
        expect(await commitsOf(url)).toBe(before + 2);
      } finally {
        await workspace.stop();
      }
    });
});
