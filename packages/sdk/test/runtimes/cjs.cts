const sdk: typeof import('@hubline/sdk') = require('@hubline/sdk');
const { Hubline: overFetch }: typeof import('@hubline/sdk/fetch') = require('@hubline/sdk/fetch');
const { Hubline: overKy }: typeof import('@hubline/sdk/ky') = require('@hubline/sdk/ky');
const { Hubline: overNode }: typeof import('@hubline/sdk/node') = require('@hubline/sdk/node');
const core: typeof import('@hubline/sdk/webhooks') = require('@hubline/sdk/webhooks');
const { webhook }: typeof import('@hubline/webhooks/web') = require('@hubline/webhooks/web');

async function main(): Promise<void> {
  const { exercise } = await import('./exercise.ts');
  const baseURL = process.env['HUBLINE_BASE_URL'] ?? '';
  const entries = { overFetch, overKy, overNode };
  // Deno resolves what is loaded with `require` as Node does.
  const asNode = /^(?:Node|Deno)/.test(navigator.userAgent);
  console.log(await exercise({ sdk, entries, webhooks: { ...core, webhook }, baseURL, asNode }));
}

void main();
