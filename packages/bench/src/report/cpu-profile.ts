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

/** A period, in microseconds of the machine's monotonic clock, which V8 uses too. */
interface Span {
  startedAtUs: number;
  endedAtUs: number;
}

/** Microseconds by name, largest first. */
export type Times = readonly (readonly [name: string, us: number])[];

/** CPU time by function. */
export interface Attribution {
  /** By the file of ours that caused it: time in Node or a library belongs to the file that called it. */
  byFile: Times;
  /** By the package whose own code ran. `native` is what Node does outside of JavaScript, SQLite and sockets included. */
  byPackage: Times;
}

const OWN = /\/packages\/(?:server|contract|webhooks|cli)\/src\/(.+)$/;
const PACKAGE = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const COLLECTOR = '(garbage collector)';

/** Attributes the CPU time of a period, from all profiles in a folder. */
export function attribute(folder: string, { startedAtUs, endedAtUs }: Span): Attribution {
  const byFile = new Map<string, number>();
  const byPackage = new Map<string, number>();
  for (const file of globSync('*.cpuprofile', { cwd: folder })) {
    const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile;
    const owners = ownersOf(profile);
    let at = profile.startTime;
    for (const [index, node] of profile.samples.entries()) {
      const delta = profile.timeDeltas[index] ?? 0;
      at += delta;
      const owner = owners.get(node);
      if (owner === undefined || at < startedAtUs || at > endedAtUs) continue;
      byFile.set(owner.file, (byFile.get(owner.file) ?? 0) + delta);
      byPackage.set(owner.package, (byPackage.get(owner.package) ?? 0) + delta);
    }
  }
  const sorted = (times: Map<string, number>): Times => [...times].toSorted(([, a], [, b]) => b - a);
  return { byFile: sorted(byFile), byPackage: sorted(byPackage) };
}

interface Owner {
  file: string;
  package: string;
}

/** Maps each node of the call tree to the file and the package that are responsible for it. Idle time is left out. */
function ownersOf({ nodes }: CpuProfile): Map<number, Owner> {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const owners = new Map<number, Owner>();
  // Parents come before their children.
  for (const { id, callFrame } of nodes) {
    const { functionName, url } = callFrame;
    if (functionName === '(idle)') continue;
    const collector = functionName === COLLECTOR ? COLLECTOR : undefined;
    const own = OWN.exec(url)?.[1];
    const inherited = owners.get(parents.get(id) ?? 0)?.file;
    owners.set(id, {
      file: collector ?? own ?? inherited ?? '(Node and libraries)',
      package: collector ?? (own ? 'hubline' : packageOf(url)),
    });
  }
  return owners;
}

function packageOf(url: string): string {
  return PACKAGE.exec(url)?.[1] ?? (url.startsWith('node:') ? 'node' : 'native');
}
