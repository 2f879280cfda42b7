import { Resolver } from 'node:dns/promises';

/** True if the name servers answer for a name, even that it does not exist; false if they stay silent. */
export type NameServersAnswer = (hostname: string) => Promise<boolean>;

// The wait for the first answer; the second is twice as long. Each further resolver adds about three seconds.
const FIRST_WAIT_MS = 1_000;
const QUESTIONS = 2;
// A resolver's errors when the servers behind it say nothing.
const SILENT = new Set(['ETIMEOUT', 'ESERVFAIL', 'ECANCELLED']);

/**
 * Asks the machine's resolver for a name with questions of its own, which take no thread of the system. Its answer is only a sign that
 * the system's lookup would end soon: that one reads `/etc/hosts` as well. Default: the resolvers of `/etc/resolv.conf`.
 */
export function askNameServers(resolvers?: readonly string[]): NameServersAnswer {
  const resolver = new Resolver({ timeout: FIRST_WAIT_MS, tries: QUESTIONS });
  if (resolvers) resolver.setServers(resolvers);
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return answers.every(
      (answer) =>
        answer.status === 'fulfilled' || !SILENT.has((answer.reason as NodeJS.ErrnoException).code ?? ''),
    );
  };
}
