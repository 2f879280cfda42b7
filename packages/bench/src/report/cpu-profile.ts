import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface CpuProfile {
  nodes: readonly {
    id: number;
    callFrame: { functionName: string; url: string };
    children?: readonly number[];
  }[];
  startTime: number;
  samples: readonly number[];
  timeDeltas: readonly number[];
}

/** A stretch of time on the machine's clock, which is also V8's. */
interface Span {
  startedAtUs: number;
  endedAtUs: number;
}

const OWN = /\/packages\/(?:server|contract|webhooks)\/src\/(.+)$/;
const NOBODY = 'Node, libraries';

/**
 * Where CPU time went, by the file of ours that caused it: time in Node or a library belongs to the file that called it.
 * Microseconds by file, the most expensive first.
 */
export function timeByFile(folder: string, { startedAtUs, endedAtUs }: Span): [string, number][] {
  const times = new Map<string, number>();
  for (const file of globSync('*.cpuprofile', { cwd: folder })) {
    const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile;
    const owners = ownersOf(profile);
    let at = profile.startTime;
    for (const [index, node] of profile.samples.entries()) {
      const delta = profile.timeDeltas[index] ?? 0;
      at += delta;
      const owner = owners.get(node);
      if (owner === undefined || at < startedAtUs || at > endedAtUs) continue;
      times.set(owner, (times.get(owner) ?? 0) + delta);
    }
  }
  return [...times].toSorted(([, a], [, b]) => b - a);
}

/** Node → file; idle time belongs to nobody and is left out. */
function ownersOf({ nodes }: CpuProfile): Map<number, string> {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const owners = new Map<number, string>();
  // Parents come before their children.
  for (const { id, callFrame } of nodes) {
    if (callFrame.functionName === '(idle)') continue;
    const own = OWN.exec(callFrame.url)?.[1];
    const parent = byId.get(parents.get(id) ?? 0);
    const inherited = parent ? owners.get(parent.id) : undefined;
    const special = callFrame.functionName === '(garbage collector)' ? 'garbage collector' : NOBODY;
    owners.set(id, own ?? inherited ?? special);
  }
  return owners;
}
