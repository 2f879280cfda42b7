/** The two programs of Node, both of one version, from which a single-file program is built. */
import { join } from 'node:path';
import { fromNpm, isFetched, versionsOn } from './from-npm.ts';
import { Refusal } from './script.ts';
import { HOST, type Target, TARGETS } from './targets.ts';

export interface NodeProgram {
  readonly version: string;
  /** Runs here, and packs the programs: another version would pack them in a way that `program` may not read. */
  readonly packer: string;
  /** Goes into the file. */
  readonly program: string;
}

const OWN = process.versions.node;

/**
 * Node for a system: the version that runs this script or, if npm does not have it for that system yet, the one that `nearest` picks.
 *
 * @throws {Refusal} if npm has none of the same major version.
 */
export function nodeFor(target: Target): NodeProgram {
  if (target.name === HOST) return { version: OWN, packer: process.execPath, program: process.execPath };
  const [packageName, path] = target.node;
  const version = isFetched(packageName, OWN) ? OWN : availableVersion(target);
  return {
    version,
    packer: version === OWN ? process.execPath : programOf(hostTarget(), version),
    program: join(fromNpm(packageName, version), path),
  };
}

function availableVersion({ name, node: [packageName] }: Target): string {
  const theirs = versionsOn(packageName);
  if (theirs.includes(OWN)) return OWN;
  const version = nearest(OWN, theirs, versionsOn(hostTarget().node[0]));
  if (version !== undefined) return version;
  throw new Refusal(
    `${name}: npm has no Node ${OWN.split('.')[0]} for it (${packageName}). Build it on such a system, or later.`,
  );
}

/** The newest version that exists for the other system and for this one, has our major version, and is older than ours. */
export function nearest(own: string, theirs: readonly string[], ours: readonly string[]): string | undefined {
  const [major, minor, patch] = numbersOf(own);
  const isOlder = ([a, b, c]: Version) => a === major && (b < minor || (b === minor && c < patch));
  return theirs
    .filter((version) => ours.includes(version) && isOlder(numbersOf(version)))
    .toSorted((left, right) => compare(numbersOf(left), numbersOf(right)))
    .at(-1);
}

type Version = readonly [major: number, minor: number, patch: number];

function numbersOf(version: string): Version {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return [major, minor, patch];
}

function compare([, minorA, patchA]: Version, [, minorB, patchB]: Version): number {
  return minorA - minorB || patchA - patchB;
}

function programOf({ node: [packageName, path] }: Target, version: string): string {
  return join(fromNpm(packageName, version), path);
}

function hostTarget(): Target {
  const target = TARGETS.find(({ name }) => name === HOST);
  if (target) return target;
  throw new Refusal(
    `${HOST} is not a supported build machine for other systems. Supported are ${TARGETS.map(({ name }) => name).join(', ')}.`,
  );
}
