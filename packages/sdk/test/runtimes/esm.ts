import * as sdk from '@hubline/sdk';
import * as core from '@hubline/sdk/webhooks';
import { webhook } from '@hubline/webhooks/web';
import { exercise } from './exercise.ts';

const baseURL = process.env['HUBLINE_BASE_URL'] ?? '';
console.log(await exercise({ sdk, webhooks: { ...core, webhook }, baseURL }));
