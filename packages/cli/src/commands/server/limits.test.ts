import { expect, it } from 'vitest';
import { spawnCli } from '../../../test/support/spawn-cli.ts';

it.runIf(process.platform === 'linux')(
  'check-config tells that a process may open too few files',
  async () => {
    const within = ['sh', '-c', 'ulimit -n 64; exec "$@"', 'sh'];
    const { code, err } = await spawnCli(['server', 'check-config', '--data=/none/data'], {}, { within })
      .ended;
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringContaining('A start would be refused now: This process may have 64 files'),
    });
  },
);
