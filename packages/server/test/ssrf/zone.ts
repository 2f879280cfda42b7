import type { Resolve } from '../../src/outbound/http-client.ts';

/** The answer for a name: addresses, or the name that it is an alias of. Several lists are several answers, one after another. */
export type Records = { addresses: readonly string[] } | { cname: string } | { answers: readonly string[][] };

/** A name server in the process: no query leaves it. */
export interface Zone {
  resolve: Resolve;
  /** The number of queries for a name. */
  asked(name: string): number;
}

/** Serves these names; every other name, and every chain that does not end, resolves to nothing. */
export function createZone(names: Readonly<Record<string, Records>>): Zone {
  const counts = new Map<string, number>();

  function lookUp(name: string, depth = 0): readonly string[] {
    const records = names[name.toLowerCase().replace(/\.$/, '')];
    if (!records || depth > 8) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    if ('cname' in records) return lookUp(records.cname, depth + 1);
    if ('addresses' in records) return records.addresses;
    const turn = counts.get(name) ?? 1;
    return records.answers[Math.min(turn, records.answers.length) - 1] ?? [];
  }

  return {
    asked: (name) => counts.get(name) ?? 0,
    resolve: async (name) => {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return lookUp(name).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
  };
}
