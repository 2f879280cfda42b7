import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { programArguments } from '../../../../scripts/programs/programs.ts';
import { Api } from '../api/support/api.ts';
import { startReceiver } from '../api/support/stand-ins/receiver.ts';
import { until } from '../api/support/until.ts';
import { Ledger } from './ledger.ts';
import { spawnTraced, whyNoStrace } from './strace.ts';

// Fifty writes in a row fail in the middle of the work. Before these, the start needs several hundred writes to make the tables.
const FROM = 1_200;
const TO = 1_250;

it.for(['ENOSPC', 'EIO', 'EDQUOT'])(
  'writes that the system refuses with %s are refused, and the next ones work: nothing is lost',
  async (error, context) => {
    const reason = await whyNoStrace();
    context.skip(reason !== null, `${reason}: another test uses a database that cannot grow instead`);
    const data = await mkdtemp(join(tmpdir(), 'hubline-writes-'));
    const receiver = await startReceiver();
    onTestFinished(async () => {
      await receiver.stop();
      await rm(data, { recursive: true });
    });
    const inject = ['-e', 'trace=pwrite64', '-e', `inject=pwrite64:error=${error}:when=${FROM}..${TO}`];
    const program = fileURLToPath(new URL('disk-process.ts', import.meta.url));
    const child = spawnTraced([...inject, '-o', '/dev/null'], [...programArguments(program), data]);
    const errors = text(child.stderr);
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const { baseUrl = '', apiKey = '', workspaceId = '' } = JSON.parse(line) as Record<string, string>;
    const ledger = new Ledger({ api: new Api(baseUrl, apiKey), workspaceId, receiver });
    await ledger.subscribe();
    await until('a refusal', async () => !(await ledger.publish()));
    await until('success again', () => ledger.publish());
    for (let event = 0; event < 10; event += 1) await ledger.publish();
    await ledger.check();
    // The process ends when its input does, and reports a damaged database.
    child.stdin.end();
    const [code] = (await once(child, 'exit')) as [number];
    const log = (await errors).trim().split('\n');
    expect([code, log.filter((entry) => !/"reason":"The (?:database|disk)/.test(entry))]).toEqual([0, []]);
  },
);
