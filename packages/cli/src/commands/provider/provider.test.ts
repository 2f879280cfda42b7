import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { realServer } from '../../test/real-server.ts';
import { temporaryDirectory } from '../../test/run-cli.ts';

const { cli, json } = await realServer();

it('names the credentials that connecting a tool takes', async () => {
  const providers = await json<{ provider: string }[]>('provider', 'list');
  expect(providers.map(({ provider }) => provider)).toEqual(expect.arrayContaining(['github', 'custom']));
  const github = await json<{ required_credentials: string[] }>('provider', 'get', 'github');
  expect(github.required_credentials).toEqual(['token']);
  // Connecting asks for the names that it lists.
  const { code, err } = await cli(['integration', 'connect', 'github']);
  expect({ code, err }).toEqual({ code: 6, err: expect.stringContaining('--credential token=') });
});

it('shows what automations can do in a tool, a line for each input in a pipe', async () => {
  const { out } = await cli(['provider', 'get', 'github']);
  expect(out).toContain('actions.0.type\tgithub.create_issue\n');
  expect(out).toContain('actions.1.inputs.1.name\tnumber\n');
});

it('says where to look for one that does not exist', async () => {
  expect(await cli(['provider', 'get', 'fax'])).toEqual({
    code: 4,
    out: '',
    err: 'Error: There is no provider "fax".\nSee: hubline provider list, and define others: hubline provider define --help\n',
  });
});

describe('a tool of the workspace', () => {
  const definition = {
    provider: 'acme-ci',
    name: 'Acme CI',
    verification: { kind: 'hmac', header: 'X-Sig' },
    event_type: { from: ['header:X-Event'] },
  };

  async function fileOf(text: string): Promise<string> {
    const file = join(await temporaryDirectory(), 'input');
    await writeFile(file, text);
    return file;
  }

  it('is previewed, defined, connected, changed, kept while it is in use, and deleted', async () => {
    const file = await fileOf(JSON.stringify(definition));
    const payload = await fileOf('{"n":1}');
    const secret = await fileOf('s3cret\n');
    const signature = createHmac('sha256', 's3cret').update('{"n":1}').digest('hex');
    const preview = [
      'provider',
      'preview',
      `--definition=@${file}`,
      `--payload=${payload}`,
      '--header=X-Event=build',
      `--secret-file=${secret}`,
    ];
    expect(await cli(preview)).toMatchObject({
      code: 9,
      err: expect.stringContaining('The call would be refused: the x-sig header is missing.'),
    });
    for (const header of [`X-Sig: ${signature}`, `X-Sig=${signature}`])
      expect(await json(...preview, '-H', header)).toMatchObject({
        verification: { result: 'verified' },
        event: { type: 'build', source: 'acme-ci' },
      });
    expect((await cli([...preview, '-H', 'X-Sig'])).err).toContain('--header takes "Name: value".');

    expect(await cli(['provider', 'define', `--definition=@${file}`])).toMatchObject({
      code: 0,
      err: expect.stringContaining('hubline integration connect acme-ci'),
    });
    expect((await cli(['provider', 'define', `--definition=@${file}`])).code).toBe(5);
    expect(await json('provider', 'get', 'acme-ci')).toMatchObject({
      optional_credentials: ['secret', 'notify_url'],
    });
    const { integration_id: id } = await json<{ integration_id: string }>(
      'integration',
      'connect',
      'acme-ci',
    );

    // A whole definition may be given back, with its key.
    const changed = JSON.stringify({ ...definition, name: 'Acme' });
    const { provider_id: definitionId } = await json<{ provider_id: string }>('provider', 'get', 'acme-ci');
    for (const named of ['acme-ci', definitionId])
      expect(await json('provider', 'redefine', named, `--definition=${changed}`)).toMatchObject({
        name: 'Acme',
      });
    const other = JSON.stringify({ provider: 'other-ci' });
    for (const named of ['acme-ci', definitionId])
      expect((await cli(['provider', 'redefine', named, `--definition=${other}`])).code).toBe(6);
    expect(await cli(['provider', 'undefine', 'acme-ci', '--yes'])).toMatchObject({
      code: 5,
      err: expect.stringContaining(id),
    });
    await json('integration', 'disconnect', id, '--yes');
    await json('provider', 'undefine', 'acme-ci', '--yes');
    expect(await cli(['provider', 'definition', 'acme-ci'])).toMatchObject({
      code: 4,
      err: 'Error: The workspace has not defined "acme-ci".\nSee: hubline provider definitions\n',
    });
  });

  it('is not previewed with two inputs from stdin', async () => {
    expect(await cli(['provider', 'preview', 'acme-ci', '--payload=-', '--secret-file=-'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--payload and --secret-file cannot both read stdin.'),
    });
  });

  it('is defined from a preset or a file, and may have another key than the preset', async () => {
    expect((await cli(['provider', 'define', '--preset=stripe', '--definition={}'])).code).toBe(2);
    expect(await cli(['provider', 'define', '--preset=fax'])).toMatchObject({
      code: 4,
      err: expect.stringContaining('hubline provider presets'),
    });
    expect(await json('provider', 'define', '--preset=stripe', '--key=payments')).toMatchObject({
      provider: 'payments',
      required_credentials: ['secret'],
    });
  });
});
