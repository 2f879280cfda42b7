import type { TLSSocket } from 'node:tls';
import type { Deps } from '../../context.ts';
import type { Incoming } from '../front/open-requests.ts';

/** Reports whether the client spoke HTTPS, to the server itself or to its proxy. */
export function isHttps(deps: Pick<Deps, 'config'>, incoming: Incoming): boolean {
  return (incoming.socket as TLSSocket).encrypted || forwardedProto(deps, incoming) === 'https';
}

/** The scheme that the client spoke to the proxy; `undefined` without a trusted one. */
export const forwardedProto = ({ config }: Pick<Deps, 'config'>, { headers }: Incoming) =>
  config.behindProxy ? headers['x-forwarded-proto'] : undefined;
