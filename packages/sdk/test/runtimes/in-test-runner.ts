/** The test that Jest and Vitest run. It imports the packages as users do: as ES modules or CommonJS, as the runner is set up. */
import * as sdk from '@hubline/sdk';
import { Hubline as overFetch } from '@hubline/sdk/fetch';
import { Hubline as overKy } from '@hubline/sdk/ky';
import { Hubline as overNode } from '@hubline/sdk/node';
import * as core from '@hubline/sdk/webhooks';
import { webhook } from '@hubline/webhooks/web';

declare const test: (name: string, run: () => Promise<void>, limitMs: number) => void;
/** Set by the runner's setup file, because not every compiler accepts the import of a `.ts` file. */
declare const exercise: (subject: unknown) => Promise<string>;
declare const process: { readonly env: Readonly<Record<string, string | undefined>> };

test('everything works', async () => {
  const baseURL = process.env['HUBLINE_BASE_URL'] ?? '';
  const entries = { overFetch, overKy, overNode };
  await exercise({
    sdk,
    entries,
    webhooks: { ...core, webhook },
    baseURL,
    asNode: !('window' in globalThis),
  });
}, 30_000);
