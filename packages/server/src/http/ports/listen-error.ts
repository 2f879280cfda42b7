import { isIPv6 } from 'node:net';
import { getSystemErrorMessage } from 'node:util';
import { ConfigError, type ServerConfig } from '../../config/config.ts';
import { holderOfPort } from '../../system/holders.ts';
import { loopbackAddresses } from '../../system/loopback.ts';
import { program } from '../../system/program.ts';
import { shellWord } from '../../system/shell-word.ts';

/** A host and a port to listen on. */
export interface ListenAddress {
  host: string;
  port: number;
  /** The setting that names the port. */
  setting: 'port' | 'httpsPort' | 'httpPort';
  /** The flags or variables that gave the settings. */
  names: Pick<ServerConfig['names'], 'host' | 'port' | 'httpsPort' | 'httpPort'>;
}

/** Turns the failure to listen into a `ConfigError` that says what to do; every other error stays as it is. */
export function listenError(
  error: NodeJS.ErrnoException,
  { host, port, setting, names }: ListenAddress,
): Error {
  const ofDomain = setting !== 'port';
  const named = `${names[setting]} ${port}`;
  if (error.code === 'EADDRINUSE') {
    const holder = holderOfPort(port)?.replace(/^Hubline/, 'another Hubline') ?? null;
    const stop = `Stop ${holder === null ? 'the program that uses it' : 'that program'}`;
    const cure = ofDomain
      ? `${stop}. To keep a web server there, put Hubline behind it: --behind-proxy and --public-url instead of --domain.`
      : `${stop}, or use another port with --port.`;
    return new ConfigError(`${named} is in use on ${host}${holder === null ? '' : ` by ${holder}`}. ${cure}`);
  }
  if (error.code === 'EACCES')
    return new ConfigError(ofDomain ? privilege(named) : `${named} needs privileges. Use a port above 1023.`);
  // The address that the host name resolved to.
  const { address = host } = error as { address?: string };
  const namedHost = `${names.host} ${host}${address === host ? '' : ` (${address})`}`;
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new ConfigError(`${namedHost} is not an address of this machine. Use ${ownAddresses()}.`);
  if (error.code === 'EINVAL' && /^fe[89ab]/i.test(address))
    return new ConfigError(
      `${namedHost} is a link-local address. Add the name of a network interface of this machine: ${address.replace(/%.*/, '')}%eth0, for example.`,
    );
  if (error.code === 'EAI_AGAIN')
    return new ConfigError(
      `${namedHost} cannot be looked up: DNS does not respond. Use an address such as 127.0.0.1.`,
    );
  if (error.code === 'EAFNOSUPPORT')
    return new ConfigError(
      `${namedHost} is an ${isIPv6(address) ? 'IPv6' : 'IPv4'} address, and this machine has none. Use ${ownAddresses()}.`,
    );
  if (error.errno === undefined) return error;
  return new ConfigError(
    `The server cannot listen on ${namedHost}: ${getSystemErrorMessage(error.errno)}. Use ${ownAddresses()}.`,
  );
}

const ownAddresses = (): string => [...loopbackAddresses(), 'or another of its addresses'].join(', ');

/** Systemd gives the privilege to the service; without systemd, the operator gives it to the program. */
function privilege(named: string): string {
  return (
    `${named} needs a privilege that this user does not have. Run the server as a service, which has it (AmbientCapabilities=CAP_NET_BIND_SERVICE): sudo hubline service install --domain …. ` +
    `Or give it to the program: sudo setcap cap_net_bind_service=+ep ${shellWord(program())}. ` +
    'Or use ports above 1023 and let the router forward 443 and 80 to them: --https-port 8443 --http-port 8080.'
  );
}
