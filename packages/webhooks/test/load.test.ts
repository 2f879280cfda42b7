import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);

const ENTRIES = ['../src/index.ts', '../src/seen/sqlite-seen.ts'].concat(
  ['express', 'fastify', 'hono', 'koa', 'lambda', 'next', 'node', 'web'].map(
    (name) => `../src/adapters/${name}.ts`,
  ),
);

// Touching fetch's classes loads undici, which would cost every command and function 45 to 78 ms at startup in Node.
it('touches none of the classes of fetch, nor any module of Node, while it is loaded', async () => {
  const watch = `
    const touched = [];
    for (const name of ['Request', 'Response', 'Headers', 'fetch', 'crypto', 'Blob']) {
      const value = globalThis[name];
      Object.defineProperty(globalThis, name, { configurable: true, get: () => (touched.push(name), value) });
    }
    const { getBuiltinModule } = process;
    process.getBuiltinModule = (id) => (touched.push(id), getBuiltinModule(id));
    for (const entry of ${JSON.stringify(ENTRIES.map((entry) => import.meta.resolve(entry)))}) await import(entry);
    console.log(JSON.stringify(touched));
  `;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', watch]);
  expect(JSON.parse(stdout)).toEqual([]);
});
