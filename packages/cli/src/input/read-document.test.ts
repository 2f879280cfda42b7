import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { realServer } from '../test/real-server.ts';
import { temporaryDirectory } from '../test/run-cli.ts';

const { cli } = await realServer();

it.each([
  'name: a\nbody: &x { text: t, more: *x }',
  'name: &a a\nlist: [&l [*a], &m [*l, *l], *m]\nself: &s [*s]',
])('YAML that contains itself is refused, with the cure: %j', async (stdin) => {
  for (const noun of ['template', 'rule', 'automation'])
    expect(await cli([noun, 'apply', '--file=-'], { stdin })).toMatchObject({
      code: 2,
      err: expect.stringMatching(/--file - has an alias .*Write out/s),
    });
});

it.each(['1e400', '.inf', '-.inf', '.nan'])(
  'a number that JSON would write as null is refused: %s',
  async (number) => {
    const stdin = `name: a\ntrigger: { event: manual }\nactions: [{ type: create_event, event_type: x, payload: { n: [${number}] } }]`;
    expect(await cli(['automation', 'apply', '--file=-'], { stdin })).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/--file - has a number that JSON cannot hold/),
    });
  },
);

it.each([
  ['rule apply --file', 'name: caf\xe9'],
  ['event publish --type=x --payload', '{"text": "caf\xe9"}', '@'],
  ['event publish --batch', '{"type": "x", "payload": {"text": "caf\xe9"}}'],
  ['member invite --file', 'email\ncaf\xe9@acme.test'],
  ['webhook create --url=https://x.test --trigger=* --secret-file', 'a secret of a caf\xe9, in Latin-1'],
])(
  '%s refuses a file that is not UTF-8, because other characters would be stored',
  async (line, text, at = '') => {
    const file = join(await temporaryDirectory(), 'latin1');
    await writeFile(file, text, 'latin1');
    const { code, out, err } = await cli([...line.split(' '), `${at}${file}`]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(`${file} is not UTF-8.\n`);
    // The same character is taken where somebody has written it.
    await writeFile(file, text.replace('\xe9', '\uFFFD'));
    expect((await cli([...line.split(' '), `${at}${file}`, '--dry-run'])).err).not.toContain('UTF-8');
  },
);

it('the empty list that export writes is applied, and an empty file is refused', async () => {
  for (const noun of ['template', 'rule', 'automation']) {
    for (const format of ['json', 'yaml']) {
      const { out: stdin } = await cli([noun, 'export', '--format', format]);
      expect(await cli([noun, 'apply', '--file=-', '--json'], { stdin })).toMatchObject({
        code: 0,
        out: '[]\n',
      });
    }
    for (const stdin of ['', '# nothing\n', '---\n', 'null'])
      expect(await cli([noun, 'apply', '--file=-'], { stdin })).toMatchObject({ code: 2 });
    expect(await cli([noun, 'create', '--file=-'], { stdin: '[]' })).toMatchObject({
      code: 2,
      err: expect.stringContaining('must hold an object'),
    });
  }
});
