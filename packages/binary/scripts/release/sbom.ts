/**
 * Writes the bill of materials of the single-file program, for those who look for known vulnerabilities in it: CycloneDX, made by pnpm for the whole
 * workspace, without the packages that only build and test. `sign:release` adds it to the files of a release.
 *
 *   npx -y pnpm@12 build:sbom
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import cli from '../../../cli/package.json' with { type: 'json' };
import { programs } from '../bundle.ts';

interface Component {
  readonly name: string;
  readonly group?: string;
  readonly version: string;
  readonly 'bom-ref': string;
}

interface Bom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

const packages = join(import.meta.dirname, '../../..');
const dist = join(packages, 'binary/dist');

/** The files that the programs and the dashboard are made of. */
async function inputs(): Promise<string[]> {
  const { metafile } = await build({
    ...programs,
    entryPoints: [
      'cli/src/bin.ts',
      'server/src/delivery/senders/sender-thread.ts',
      'server/src/backups/copy/copy-thread.ts',
      'server/src/http/front/http-thread.ts',
      'server/src/providers/calls/call-thread.ts',
      'dashboard/src/main.tsx',
    ].map((file) => join(packages, file)),
    absWorkingDir: packages,
    outdir: 'nowhere',
    write: false,
    metafile: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.node': 'empty', '.woff2': 'empty', '.svg': 'empty' },
  });
  return Object.keys(metafile.inputs);
}

/** `name@version` of the package that a file belongs to; `undefined` for our own. */
function packageOf(file: string): string | undefined {
  const [folder, name] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
  if (folder === undefined) return undefined;
  const { version } = JSON.parse(readFileSync(join(packages, folder, 'package.json'), 'utf8')) as Component;
  return `${name}@${version}`;
}

// Native code that the file contains in addition to the programs.
const native = relative(packages, createRequire(import.meta.url).resolve('koffi'));
const inside = new Set([...(await inputs()), native].map(packageOf));
const listed = execFileSync(
  'pnpm',
  ['sbom', '--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6', '--sbom-type', 'application'],
  { cwd: join(packages, '..'), encoding: 'utf8', maxBuffer: 100_000_000 },
);
const bom = JSON.parse(listed) as Bom;
const fullName = ({ group, name, version }: Component): string =>
  `${group === undefined ? name : `${group}/${name}`}@${version}`;
const node = {
  type: 'platform',
  name: 'node',
  version: process.versions.node,
  purl: `pkg:generic/node@${process.versions.node}`,
  'bom-ref': 'node',
};
const root = bom.metadata.component;
const components = [...bom.components.filter((component) => inside.has(fullName(component))), node];
const refs = new Set(components.map((component) => component['bom-ref']));
const kept = {
  ...bom,
  metadata: {
    ...bom.metadata,
    component: { ...root, version: cli.version, purl: `pkg:generic/hubline@${cli.version}` },
  },
  components,
  dependencies: [
    { ref: root['bom-ref'], dependsOn: [...refs] },
    ...bom.dependencies.flatMap(({ ref, dependsOn = [] }) =>
      refs.has(ref) ? [{ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }] : [],
    ),
  ],
};
const missing = [...inside].filter(
  (name) => name !== undefined && !components.some((each) => fullName(each) === name),
);
if (missing.length > 0) throw new Error(`pnpm does not list what is inside: ${missing.join(', ')}`);
mkdirSync(dist, { recursive: true });
const file = join(dist, 'hubline.cdx.json');
writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
console.log(`${file}: ${components.length} components`);
