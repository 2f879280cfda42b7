import * as sdk from '@hubline/sdk';
import * as core from '@hubline/sdk/webhooks';
import { webhook } from '@hubline/webhooks/web';
import { exercise } from './exercise.ts';

/** What `workerd test` runs. A Worker has no environment variables but its bindings. */
export const checks = {
  test: async (_controller: unknown, { HUBLINE_BASE_URL: baseURL }: { HUBLINE_BASE_URL: string }) => {
    console.log(await exercise({ sdk, webhooks: { ...core, webhook }, baseURL }));
  },
};
