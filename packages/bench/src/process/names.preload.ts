/**
 * Resolves the names of the benchmark's receivers to this machine. Loaded before a program, in each of its threads: the program
 * resolves names as always, and no setting of the machine is changed.
 */
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

const DOMAIN = '.bench.test';
const HERE = { address: '127.0.0.1', family: 4 };

const { lookup } = dns;
const { lookup: lookupLater } = dns.promises;

dns.lookup = Object.assign(
  (
    name: string,
    options: dns.LookupAllOptions,
    done: (error: null, found: unknown, family?: number) => void,
  ) => {
    if (!name.endsWith(DOMAIN)) return lookup(name, options, done as never);
    if (options.all) setImmediate(done, null, [HERE]);
    else setImmediate(done, null, HERE.address, HERE.family);
  },
  { __promisify__: lookupLater },
) as typeof dns.lookup;
dns.promises.lookup = ((name: string, options: dns.LookupAllOptions) => {
  if (!name.endsWith(DOMAIN)) return lookupLater(name, options);
  return Promise.resolve(options.all ? [HERE] : HERE);
}) as typeof dns.promises.lookup;
syncBuiltinESMExports();
