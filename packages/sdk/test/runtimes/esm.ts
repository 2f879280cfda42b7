import * as sdk from '@hubline/sdk';
import { Hubline as overFetch } from '@hubline/sdk/fetch';
import { Hubline as overKy } from '@hubline/sdk/ky';
import { Hubline as overNode } from '@hubline/sdk/node';
import * as core from '@hubline/sdk/webhooks';
import { webhook } from '@hubline/webhooks/web';
import { exercise } from './exercise.ts';

const baseURL = process.env['HUBLINE_BASE_URL'] ?? '';
const entries = { overFetch, overKy, overNode };
console.log(
  await exercise({
    sdk,
    entries,
    webhooks: { ...core, webhook },
    baseURL,
    asNode: navigator.userAgent.startsWith('Node'),
  }),
);
