import type { Attempt, DeliveryDetail } from '@hubline/sdk';
import { quoted } from '../../components/code/shell-samples.ts';
import { headersOf } from './delivery-headers.ts';

/** The call as a command for a shell, without the signatures: the secret is not known here. */
export function curlOf(delivery: DeliveryDetail, attempt: Attempt | undefined): string {
  const headers = Object.entries(headersOf(delivery, attempt?.attempt ?? 1));
  return [
    `curl -i ${quoted(delivery.webhook_url ?? '')}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-binary ${quoted(delivery.request_body ?? '')}`,
  ].join(' \\\n  ');
}
