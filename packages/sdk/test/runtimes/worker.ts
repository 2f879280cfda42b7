import * as sdk from '@hubline/sdk';
import { Hubline as overFetch } from '@hubline/sdk/fetch';
import { Hubline as overKy } from '@hubline/sdk/ky';
import * as core from '@hubline/sdk/webhooks';
import { webhook } from '@hubline/webhooks/web';
import { exercise } from './exercise.ts';

/** The entry of `workerd test`. A Worker has no environment variables but its bindings. */
export const checks = {
  test: async (_controller: unknown, { HUBLINE_BASE_URL: baseURL }: { HUBLINE_BASE_URL: string }) => {
    console.log(
      await exercise({
        sdk,
        entries: { overFetch, overKy },
        webhooks: { ...core, webhook },
        baseURL,
        asNode: false,
      }),
    );
  },
};
