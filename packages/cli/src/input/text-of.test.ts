import { startTestServer } from '@hubline/server/testing';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli, temporaryDirectory } from '../test/run-cli.ts';

const RULE = 'name: ä\r\nnotify_on: [event.created]\r\ndestinations: [{ kind: in_app, roles: [owner] }]';

it.each([
  ['UTF-8 with a mark, as of Set-Content -Encoding UTF8', 'utf8'],
  ['UTF-16, as of > in Windows PowerShell', 'utf16le'],
] as const)('reads every file that a person writes in %s', async (_, encoding) => {
  await using server = await startTestServer();
  const cwd = await temporaryDirectory();
  const write = async (name: string, text: string): Promise<string> => {
    const file = join(cwd, name);
    await writeFile(file, Buffer.from(`\uFEFF${text}\r\n`, encoding), { mode: 0o600 });
    return file;
  };
  await mkdir(join(cwd, 'config'));
  const one = { base_url: server.baseUrl, workspace: server.workspaceId };
  await write('config/config.json', JSON.stringify({ current: 'one', contexts: { one } }));
  await write('.hubline.toml', 'retries = 0');
  const env = {
    HUBLINE_CONFIG_DIR: join(cwd, 'config'),
    HUBLINE_API_KEY_FILE: await write('key', server.apiKey),
  };
  const cli = async (...line: string[]): Promise<string> => {
    const { code, out, err } = await runCli(line, { env, cwd });
    expect({ code, err }).toMatchObject({ code: 0 });
    return out.trim();
  };

  const explained = await cli('config', 'explain');
  expect(explained).toContain('one\tcurrent context');
  expect(explained).toContain('0\t./.hubline.toml');
  const rule = await cli('rule', 'create', '-f', await write('rule.yaml', RULE), '--jq=.name');
  expect(rule).toBe('ä');
  const payload = `@${await write('payload.json', '{"ä":1}')}`;
  const event = await cli('event', 'publish', '--type=push', '--payload', payload, '--jq=.payload');
  expect(event).toBe('{"ä":1}');
  const text = `text=@${await write('text', 'ä')}`;
  expect(await cli('api', 'POST', '/me', '-F', text, '--dry-run')).toContain('"text": "ä');
});
