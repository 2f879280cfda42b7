import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { realServer } from '../../test/real-server.ts';
import { runCli, temporaryDirectory } from '../../test/run-cli.ts';

const { server, json } = await realServer();

it('keeps connections by name, and acts in the one that is chosen', async () => {
  await json('workspace', 'create', '--name=Beta', '--slug=beta');
  const cli = (...line: string[]) => runCli(line, { env: { HUBLINE_API_KEY: server.apiKey } });
  for (const slug of ['acme', 'beta']) {
    const line = ['context', 'create', slug, `--base-url=${server.baseUrl}`, `--workspace=${slug}`];
    expect(await cli(...line)).toMatchObject({ code: 0 });
  }
  const current = async () => (await cli('workspace', 'get', '--jq=.slug')).out;
  expect(await cli('context', 'use', 'beta')).toMatchObject({ code: 0 });
  expect(await current()).toBe('beta\n');
  expect((await cli('workspace', 'get', '--context=acme', '--jq=.slug')).out).toBe('acme\n');

  expect(await cli('context', 'rename', 'beta', 'two')).toMatchObject({ code: 0 });
  expect(await current()).toBe('beta\n');
  expect((await cli('context', 'list', '--jq=map(.name) | sort | join(" ")')).out).toBe('acme two\n');
  expect(await cli('context', 'create', 'two', '--base-url=http://127.0.0.1:1')).toMatchObject({ code: 5 });

  expect(await cli('context', 'delete', 'two', '--yes')).toMatchObject({ code: 0 });
  expect(await cli('context', 'use', 'two')).toMatchObject({
    code: 4,
    err: expect.stringContaining('hubline context list'),
  });
});

it('saves every connection when several commands save one at the same time', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `c${index}`);
  const env = { HUBLINE_CONFIG_DIR: await temporaryDirectory() };
  const made = names.map((name) =>
    runCli(['context', 'create', name, `--base-url=${server.baseUrl}`], { env }),
  );
  for (const { code } of await Promise.all(made)) expect(code).toBe(0);
  const { out } = await runCli(['context', 'list', '--jq=map(.name) | sort | join(" ")'], { env });
  expect(out).toBe(`${names.join(' ')}\n`);
  expect(await readdir(env.HUBLINE_CONFIG_DIR)).toEqual(['config.json']);
});
