import type { Context } from '../../context.ts';
import { reachOf } from '../../outbound/target.ts';

/** The URL to which a provider sends the calls of an integration. */
export const ingestUrl = ({ publicUrl }: Pick<Context, 'publicUrl'>, integrationId: string) =>
  `${publicUrl()}/v1/ingest/${integrationId}`;

const CURE =
  'Start the server with the https:// URL at which the internet reaches it: --public-url, or HUBLINE_PUBLIC_URL.';

/**
 * The reason why a provider on the internet cannot call the ingest URLs of this server, and the fix; `null` if it
 * probably can.
 */
export function ingestWarning({ publicUrl }: Pick<Context, 'publicUrl'>): string | null {
  const { hostname, host, protocol } = new URL(publicUrl());
  const reach = reachOf(hostname);
  if (reach !== 'the internet') return `Only ${WHO[reach]} can call ${host}. ${CURE}`;
  return protocol === 'https:'
    ? null
    : `The URL of ${host} begins with http://, and calls over plain HTTP are refused. ${CURE}`;
}

const WHO = {
  'this machine': 'programs on this machine',
  'a private network': 'programs in its own network',
};
