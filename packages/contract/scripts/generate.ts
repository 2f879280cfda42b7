// Writes the files that are derived from the endpoints table: `openapi.json`, and, with the examples of type-docs.md,
// `src/generated/types.ts`, which the SDK publishes. `--check` writes nothing and fails when a file is out of date.
import { readFile, writeFile } from 'node:fs/promises';
import { openApiDocument } from '../src/openapi/document.ts';
import { printTypes } from './print-types.ts';
import { readTypeDocs } from './read-type-docs.ts';

const here = (path: string) => new URL(`../${path}`, import.meta.url);

async function emit(path: string, text: string): Promise<void> {
  const file = here(path);
  if (!process.argv.includes('--check')) return writeFile(file, text);
  const current = await readFile(file, 'utf8').catch(() => '');
  if (current === text) return;
  console.error(`${path} is out of date: run \`pnpm --filter @hubline/contract generate\` and commit it.`);
  process.exitCode = 1;
}

const { version } = JSON.parse(await readFile(here('package.json'), 'utf8')) as { version: string };
const docs = readTypeDocs(await readFile(here('scripts/type-docs.md'), 'utf8'));
const document = openApiDocument(version);
await emit('openapi.json', `${JSON.stringify(document, null, 2)}\n`);
await emit('src/generated/types.ts', printTypes(document, docs));
