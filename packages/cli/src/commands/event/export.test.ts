import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type EndingSignal, Interrupted } from '../../errors/errors.ts';
import { fakeApi, pageResponse } from '../../test/fake-api.ts';
import { runCli, temporaryDirectory } from '../../test/run-cli.ts';
import { testIo } from '../../test/test-io.ts';

type Env = Readonly<Record<string, string>>;

const ids = ['evt_1', 'evt_2', 'evt_3', 'evt_4', 'evt_5', 'evt_6'];

/** Three pages of two events. The second of each has a large payload, which the list leaves out. */
const api = () =>
  fakeApi(({ path, query }) => {
    const id = path.split('/').at(-1) ?? '';
    if (ids.includes(id)) return { body: { event_id: id } };
    const from = Number(query['cursor'] ?? 0);
    const [first, second] = ids.slice(from, from + 2);
    const page = [{ event_id: first }, { event_id: second, payload_omitted: true }];
    return pageResponse(page, from + 2 < ids.length ? String(from + 2) : null);
  });

/** Exports, and gets a signal after `count` events. */
const exportUntil = async (count: number, signal: EndingSignal, [env, ...flags]: [Env, ...string[]]) => {
  const stopping = new AbortController();
  const io = testIo({});
  let written = 0;
  const write = async (text: string | Uint8Array) => {
    await io.stdout.write(text);
    if (text !== '' && (written += 1) === count) stopping.abort(new Interrupted(signal));
  };
  const { code, out } = await runCli(['event', 'export', '--template={{event_id}}', ...flags], {
    env,
    io: { ...io, stdout: { ...io.stdout, write } },
    signal: stopping.signal,
  });
  return { code, out };
};

const lines = (some: readonly string[]): string => some.map((id) => `${id}\n`).join('');

it.each([
  [1, 'SIGINT', 130, 2],
  [2, 'SIGTERM', 143, 2],
  [3, 'SIGHUP', 129, 4],
  [4, 'SIGINT', 130, 4],
] as const)(
  'stopped after event %d by %s, it ends with %d after event %d, and goes on with the next',
  async (count, signal, code, last) => {
    const { env } = await api();
    const cursor = `--cursor-file=${join(await temporaryDirectory(), 'cursor')}`;
    expect(await exportUntil(count, signal, [env, cursor])).toEqual({
      code,
      out: lines(ids.slice(0, last)),
    });
    const rest = await runCli(['event', 'export', '--template={{event_id}}', cursor], { env });
    expect(rest).toMatchObject({ code: 0, out: lines(ids.slice(last)) });
  },
);

it('without a cursor file it ends at once', async () => {
  const { env } = await api();
  expect(await exportUntil(1, 'SIGINT', [env])).toEqual({ code: 130, out: lines(ids.slice(0, 1)) });
});
