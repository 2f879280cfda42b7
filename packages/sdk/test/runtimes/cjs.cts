const sdk: typeof import('@hubline/sdk') = require('@hubline/sdk');
const core: typeof import('@hubline/sdk/webhooks') = require('@hubline/sdk/webhooks');
const { webhook }: typeof import('@hubline/webhooks/web') = require('@hubline/webhooks/web');

async function main(): Promise<void> {
  const { exercise } = await import('./exercise.ts');
  const baseURL = process.env['HUBLINE_BASE_URL'] ?? '';
  console.log(await exercise({ sdk, webhooks: { ...core, webhook }, baseURL }));
}

void main();
