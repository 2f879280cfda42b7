import { expect, it } from 'vitest';
import { realServer } from '../../test/real-server.ts';

const { cli, json } = await realServer();

it('is the version that doctor shows, beside that of Node', async () => {
  const { version, node } = await json('version');
  expect((await cli(['version'])).out).toBe(`${version}\n`);
  const [program] = await json<{ check: string; message: string }[]>('doctor');
  expect(program).toMatchObject({
    check: 'program',
    message: expect.stringContaining(`${version} on Node.js ${node}`),
  });
});
