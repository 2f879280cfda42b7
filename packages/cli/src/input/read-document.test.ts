import { expect, it } from 'vitest';
import { realServer } from '../test/real-server.ts';

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
