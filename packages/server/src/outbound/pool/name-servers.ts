import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';

/** Reports whether the system's lookup of a name would end soon: with its addresses, or because it does not exist. */
export type NameServersAnswer = (hostname: string) => Promise<boolean>;

interface Sources {
  /** The resolvers to ask. Default: those of `/etc/resolv.conf`. */
  resolvers?: readonly string[];
  /** The file of names that need no resolver. Default `/etc/hosts`. */
  hosts?: string;
  /** A monotonic clock, in milliseconds. */
  now?: () => number;
}

// The wait for the first answer; the second is twice as long. Each further resolver adds about three seconds.
const FIRST_WAIT_MS = 1_000;
const QUESTIONS = 2;
// A resolver's errors when the servers behind it say nothing.
const SILENT = new Set(['ETIMEOUT', 'ESERVFAIL', 'ECANCELLED']);
// A machine gets other resolvers with its next network.
const FRESH_MS = 5_000;

/**
 * Asks the machine's resolver for a name with questions of its own, which take no thread of the system. Its answer is only a sign: the
 * lookup itself stays the system's.
 */
export function createNameServersCheck(sources: Sources = {}): NameServersAnswer {
  const { resolvers, hosts = '/etc/hosts', now = () => performance.now() } = sources;
  const resolver = fresh(now, () => {
    const made = new Resolver({ timeout: FIRST_WAIT_MS, tries: QUESTIONS });
    if (resolvers) made.setServers(resolvers);
    return made;
  });
  const listed = fresh(now, () => namesIn(hosts));
  return async (hostname) => {
    if ((await listed()).has(hostname.toLowerCase())) return true;
    const asked = resolver();
    const answers = await Promise.allSettled([asked.resolve4(hostname), asked.resolve6(hostname)]);
    return answers.every(
      (answer) =>
        answer.status === 'fulfilled' || !SILENT.has((answer.reason as NodeJS.ErrnoException).code ?? ''),
    );
  };
}

/** A value that is made anew when it is asked for and some seconds old. */
function fresh<Value>(now: () => number, make: () => Value): () => Value {
  let made: { value: Value; at: number } | undefined;
  return () => {
    if (!made || now() - made.at > FRESH_MS) made = { value: make(), at: now() };
    return made.value;
  };
}

/** The names in a file of hosts; none if it cannot be read. */
async function namesIn(file: string): Promise<ReadonlySet<string>> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return new Set(
    text.split('\n').flatMap((line) => line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/).slice(1)),
  );
}
