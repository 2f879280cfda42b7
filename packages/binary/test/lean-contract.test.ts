import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as full from '@hubline/contract';
import { build } from 'esbuild';
import { afterAll, expect, it } from 'vitest';
import { leanContract } from '../scripts/lean-contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'hubline-lean-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Values for every schema to judge. Most are wrong, and each schema's messages name the rule. */
const VALUES: readonly unknown[] = [
  undefined,
  null,
  {},
  { unknown: 1 },
  ['a'],
  { workspace_id: 'ws_1', name: '', url: 'ftp://x', events: [], secret: 1, limit: 'x', cursor: 7 },
];

it('validates every request as the whole contract does, and has no responses', async () => {
  const outfile = join(folder, 'contract.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, '../../contract/src/index.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    plugins: [leanContract],
    outfile,
  });
  const { endpoints } = (await import(pathToFileURL(outfile).href)) as Pick<typeof full, 'endpoints'>;
  expect(Object.keys(endpoints)).toEqual(Object.keys(full.endpoints));
  for (const [name, row] of Object.entries(full.endpoints) as [full.EndpointName, full.Endpoint][]) {
    const lean: full.Endpoint = endpoints[name];
    const {
      summary: _,
      description: __,
      errors: ___,
      response: ____,
      params,
      query,
      body,
      bodies,
      ...rest
    } = row;
    expect(lean).toMatchObject(rest);
    expect(Object.keys(lean)).not.toContain('response');
    for (const part of ['params', 'query', 'body'] as const)
      for (const value of VALUES)
        expect(judged(lean[part], value), `${name}: ${part} of ${JSON.stringify(value)}`).toEqual(
          judged({ params, query, body }[part], value),
        );
    expect(Object.keys(lean.bodies ?? {})).toEqual(Object.keys(bodies ?? {}));
  }
});

function judged(schema: full.Endpoint['body'], value: unknown): unknown {
  const { success, data, error } = schema?.safeParse(value) ?? {};
  return { success, data, issues: error?.issues };
}
