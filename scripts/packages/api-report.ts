/**
 * The public surface as one committed text per package: a change to it shows up in review as a diff and not as a surprise
 * in somebody's build. `--check` compares, without it the reports are rewritten. Needs the built declarations.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';
import { report } from '../report.ts';
import { root, sourceEntries, workspacePackages } from '../workspace.ts';

/** The packages whose users compile against us. */
const REPORTED = ['sdk', 'webhooks'];

const check = process.argv.includes('--check');
const reportFolder = join(root, 'docs/reference');
const reportTempFolder = join(root, 'node_modules/.cache/api-report');
mkdirSync(reportFolder, { recursive: true });
mkdirSync(reportTempFolder, { recursive: true });

const problems: string[] = [];
const stale = new Set(globSync('*.api.md', { cwd: reportFolder }));
for (const pkg of workspacePackages().filter(({ folder }) => REPORTED.includes(folder))) {
  const entries = [...sourceEntries(pkg).keys()].map((subpath) => {
    const entry = subpath === '.' ? 'index' : subpath.slice(2);
    return {
      declarations: join(pkg.path, 'dist', `${entry}.d.ts`),
      name: subpath === '.' ? pkg.folder : `${pkg.folder}-${entry.replaceAll('/', '-')}`,
    };
  });
  for (const { name } of entries) stale.delete(`${name}.api.md`);
  const missing = entries.filter(({ declarations }) => !existsSync(declarations));
  if (missing.length > 0) {
    problems.push(
      `${pkg.manifest.name} is not built (${missing.map(({ name }) => name).join(', ')}): run \`pnpm build\``,
    );
    continue;
  }
  // The entries share one program, which reads Node's declarations and those of frameworks once.
  let compilerState: CompilerState | undefined;
  for (const { declarations, name } of entries) {
    const reportFile = `${name}.api.md`;
    const config = ExtractorConfig.prepare({
      configObject: {
        projectFolder: pkg.path,
        mainEntryPointFilePath: declarations,
        compiler: { tsconfigFilePath: join(pkg.path, 'tsconfig.json') },
        apiReport: { enabled: true, reportFileName: reportFile, reportFolder, reportTempFolder },
        docModel: { enabled: false },
        dtsRollup: { enabled: false },
        tsdocMetadata: { enabled: false },
        messages: {
          // Types are checked by tsc, and documentation by reading it; only the surface is of interest here.
          compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
          extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
          tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
        },
      },
      configObjectFullPath: undefined,
      packageJsonFullPath: join(pkg.path, 'package.json'),
    });
    compilerState ??= CompilerState.create(config, {
      additionalEntryPoints: entries.map((entry) => entry.declarations),
    });
    const result = Extractor.invoke(config, {
      compilerState,
      localBuild: !check,
      messageCallback: (message) => {
        message.handled = true;
        if (message.logLevel === ExtractorLogLevel.Error) problems.push(`${name}: ${message.text}`);
      },
    });
    // The name of an error class needs no documentation.
    const undocumented = /\(undocumented\)\n(?! *get name\(\))(.*)/g;
    const text = readFileSync(join(reportFolder, reportFile), 'utf8');
    for (const [, line = ''] of text.matchAll(undocumented))
      problems.push(`${name}: \`${line.trim()}\` has no doc comment`);
    if (check && result.apiReportChanged) {
      problems.push(
        `docs/reference/${reportFile} is out of date: run \`pnpm api-report\`, read the diff and commit it`,
      );
    }
  }
}
for (const file of stale)
  problems.push(`docs/reference/${file} is of no entry of a package any longer: remove it`);
rmSync(reportTempFolder, { recursive: true });
report(problems, 'API reports');
