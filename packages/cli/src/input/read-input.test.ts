import { startTestServer } from '@hubline/server/testing';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli, temporaryDirectory } from '../test/run-cli.ts';
import { parseJSON } from './read-input.ts';

/** JavaScript would make 12345678901234567000, 1, 1000, 0 and Infinity of these. */
const NUMBERS = '{"id":12345678901234567890,"list":[1.0,1e3,-0,1e999,{"x":0.10}]}';

it('prints numbers again as they were written, and everything else as ever', () => {
  for (const text of [NUMBERS, '[0,-1,1.5,"1.0",true,null,{"a":[]}]', '18014398509481985', '"x"'])
    expect(JSON.stringify(parseJSON(text))).toBe(text);
  expect(parseJSON('[1,-2.5,123456789]')).toEqual([1, -2.5, 123456789]);
  expect(() => parseJSON('{"a":}')).toThrow(SyntaxError);
});

it('numbers of a payload pass through every command as they are', async () => {
  await using server = await startTestServer();
  const directory = await temporaryDirectory();
  const env = {
    HUBLINE_BASE_URL: server.baseUrl,
    HUBLINE_API_KEY: server.apiKey,
    HUBLINE_WORKSPACE: server.workspaceId,
  };
  const run = async (...line: string[]) => {
    const { code, out, err } = await runCli(line, { env });
    expect({ code, err }).toMatchObject({ code: 0 });
    return out.trim();
  };
  const batch = join(directory, 'events.ndjson');
  await writeFile(batch, `{"type":"b","payload":${NUMBERS}}\n`);
  const ids = [
    await run('event', 'publish', '--type=a', `--payload=${NUMBERS}`, '-q'),
    await run('event', 'publish', `--batch=${batch}`, '-q'),
    await run(
      'api',
      'POST',
      `/workspaces/{workspace}/events`,
      '-f',
      'type=c',
      '-F',
      `payload=${NUMBERS}`,
      '--jq=.event_id',
    ),
    await run('trigger', 'push', `--data=${NUMBERS}`, '--set', 'payload.set=2.0', '-q'),
  ].map((id) => id.replaceAll('"', ''));
  const set = NUMBERS.replace(/\}$/, ',"set":2.0}');
  for (const [index, id] of ids.entries()) {
    const payload = index === 3 ? set : NUMBERS;
    expect(await run('event', 'get', id, '--json=payload')).toBe(`{"payload":${payload}}`);
  }
  expect(await run('event', 'export', '--format=ndjson')).toContain(`"payload":${set}`);
  expect(await run('event', 'list', '--template={{payload.id}}')).toMatch(/^(?:12345678901234567890\n?){4}$/);
  expect(await run('event', 'get', ids[0] ?? '', '--output=yaml')).toContain('id: 12345678901234567890\n');
  const planned = await run('event', 'publish', '--type=a', `--payload=${NUMBERS}`, '--dry-run', '--json');
  expect(planned).toContain(NUMBERS);
});
