import { expect, it } from 'vitest';
import { errorAnswer, fakeApi } from '../../test/fake-api.ts';
import { runCli } from '../../test/run-cli.ts';

it.each([
  [() => ({ body: { status: 'ok' } }), 0, { live: true, ready: true }],
  [
    ({ path }: { path: string }) =>
      path === '/readyz' ? errorAnswer(503, 'service_unavailable') : { body: {} },
    9,
    { live: true, ready: false },
  ],
] as const)('server status asks, and needs no key', async (answer, code, said) => {
  const api = await fakeApi(answer);
  const { HUBLINE_BASE_URL } = api.env;
  const finished = await runCli(['server', 'status', '--json=live,ready'], { env: { HUBLINE_BASE_URL } });
  expect({ code: finished.code, said: JSON.parse(finished.out) as unknown }).toEqual({ code, said });
  expect(api.received.every(({ headers }) => headers.authorization === undefined)).toBe(true);
});

it('server status says so when nothing is there', async () => {
  const env = { HUBLINE_BASE_URL: 'http://127.0.0.1:1' };
  expect(await runCli(['server', 'status', '--json=live'], { env })).toMatchObject({
    code: 9,
    out: '{"live":false}\n',
  });
});
