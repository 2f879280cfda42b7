import { expect, it } from 'vitest';
import type { CommandInfo } from '../../spec/describe-command.ts';
import { realServer } from '../../test/real-server.ts';

const { json, cli } = await realServer();

it('is a tree for programs: each command that only reads, and needs no arguments, answers in JSON', async () => {
  const tree = await json<CommandInfo[]>('commands');
  expect(tree.map(({ path }) => path)).toEqual(expect.arrayContaining(['event list', 'server start']));
  const reads = tree.filter(
    ({ path, endpoints, args, flags }) =>
      endpoints.length > 0 &&
      /(?:list|get|stats|whoami)$/.test(path) &&
      args.every(({ optional }) => optional) &&
      flags.every((flag) => flag.type === 'boolean' || !flag.required),
  );
  expect(reads.length).toBeGreaterThan(8);
  for (const { path } of reads) {
    const { code, out } = await cli([...path.split(' '), '--json']);
    expect({ path, code }).toEqual({ path, code: 0 });
    expect(() => JSON.parse(out) as unknown, path).not.toThrow();
  }
});
