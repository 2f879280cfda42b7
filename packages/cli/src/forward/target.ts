import { isLoopback, parseAddress } from '../config/base-url.ts';
import { usageError } from '../errors.ts';

/** Checks the address to forward to, typed as a URL, as `localhost:3000` or as a port: this machine, unless another was asked for. */
export function parseTarget(text: string, allowRemote: boolean): URL {
  const port = /^:?(\d{1,5})(\/.*)?$/.exec(text);
  const url = parseAddress(port ? `localhost:${port[1]}${port[2] ?? ''}` : text);
  if (!url) {
    throw usageError(
      `The target is not an address: "${text}".`,
      'Give a URL such as http://localhost:3000/hook, or a port such as 3000.',
    );
  }
  if (!allowRemote && !isLoopback(url.hostname)) {
    throw usageError(
      `${url.host} is not this machine, and the payloads of a workspace are not for everybody.`,
      'Add --allow-remote to forward there all the same.',
    );
  }
  return url;
}
