import { isLoopback } from '../config/base-url.ts';
import { usageError } from '../errors.ts';

/** Checks the address to forward to: this machine, unless another was asked for. */
export function parseTarget(text: string, allowRemote: boolean): URL {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw usageError(`The target must be a URL such as http://localhost:3000/hook; not "${text}".`);
  }
  if (!allowRemote && !isLoopback(url.hostname)) {
    throw usageError(
      `${url.host} is not this machine, and the payloads of a workspace are not for everybody.`,
      'Add --allow-remote to forward there all the same.',
    );
  }
  return url;
}
