import { compareVersions, validateStrict } from 'compare-versions';
import { existsSync } from 'node:fs';
import type { Context } from '../../context.ts';
import { CommandError, usageError } from '../../errors/errors.ts';
import type { OneFile } from '../../host.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';
import { version as installed } from '../../about.ts';
import { STORAGE_FLAGS } from '../server/flags.ts';
import { describeProgram } from './describe-program.ts';
import { fetchProgram } from './fetch-program.ts';
import { keepCapabilities } from './keep-capabilities.ts';
import { rememberLatest } from './latest.ts';
import { previousOf, putInPlace } from './put-in-place.ts';
import { refuseAcrossMigration } from './refuse-across-migration.ts';
import { findRelease, forged } from './releases.ts';
import { shellWord } from '../../terminal/shell-word.ts';

interface Upgraded {
  /** The version that ran the command. */
  readonly installed: string;
  /** The version that was found. With `upgraded` or `rolled_back`, it is in place now. */
  readonly version: string;
  /** `current` is the newest; `unchanged` the one that was named. */
  readonly status: 'current' | 'unchanged' | 'available' | 'upgraded' | 'rolled_back';
  /** The day of the release; `null` for a rollback. */
  readonly date: string | null;
  readonly file: string;
  /** The file that keeps the former version; `null` where nothing was replaced. */
  readonly previous: string | null;
}

const upgrade = define({
  path: 'upgrade',
  summary: 'Replace this program with the newest version, if hubline is a single-file program.',
  description:
    'Downloads the file for this system, checks its signature and that it runs, and puts it in place. The old one is kept beside it for --rollback. Restart a running server to use the new one. Releases come from GitHub, or from HUBLINE_UPGRADE_URL. With npm or a clone, it says what to type instead.',
  flags: {
    check: { type: 'boolean', summary: 'Only check: exit code 9 if there is another version' },
    to: { type: 'text', value: 'version', summary: 'This version, which may be an older one' },
    rollback: {
      type: 'boolean',
      summary: 'Go back to the previous version; a second time, go forward again',
    },
    data: {
      ...STORAGE_FLAGS.data,
      summary: 'Directory of the database, which an older version must be able to open',
    },
  },
  examples: ['hubline upgrade', 'hubline upgrade --check', 'hubline upgrade --rollback'],
  view: view<Upgraded>()({
    noun: ['program', 'programs'],
    fields: ['installed', 'version', 'status', 'date', 'file', 'previous'],
    columns: ['installed', 'version', 'status'],
    id: 'version',
  }),
  say: ({ installed: former, version, status, date, previous }, style) =>
    ({
      current: `${style.green('✓')} You have the newest version, ${former}.`,
      unchanged: `${style.green('✓')} You have hubline ${former} already.`,
      available: newerText({ version, former, date }),
      upgraded: `${style.green('✓')} Replaced hubline ${former} with ${version}; the old file is ${previous}`,
      rolled_back: `${style.green('✓')} Went back from hubline ${former} to ${version}; the replaced file is ${previous}`,
    })[status],
  next: ({ status }) =>
    status === 'upgraded' || status === 'rolled_back'
      ? 'Restart a running server to use it. Is there one? See: hubline service status'
      : undefined,
  refusal: ({ status, version, installed: former, date }) =>
    status === 'available'
      ? { message: newerText({ version, former, date }), hint: 'Install it: hubline upgrade' }
      : undefined,
  async run(ctx, { flags: { check, to, rollback, data } }): Promise<Upgraded> {
    if (rollback && (check || to !== undefined))
      throw usageError('--rollback cannot be combined with --check or --to.', 'Leave them out.');
    if (to !== undefined && !validateStrict(to))
      throw usageError(`--to takes a version such as 1.2.3, not "${to}".`);
    const oneFile = oneFileOf(ctx, to);
    const { path, releaseKey } = oneFile;
    // The file beside the program is the earlier version: nothing is downloaded, so no key is needed.
    if (rollback) return rollBack(ctx, oneFile, data);
    if (releaseKey === '')
      throw usageError(
        'This hubline was built without the release key, so it cannot check a release.',
        `In the clone: git pull, and npx -y pnpm@12 build:binary. Then replace ${path} with the new file.`,
      );

    ctx.progress.wait('looking for a release');
    const release = await findRelease(ctx, releaseKey, to).finally(ctx.progress.clear);
    if (to === undefined) rememberLatest(ctx, release.version);
    const { version, date, schema, address } = release;
    const found = { installed, version, date, file: path, previous: null };
    const order = compareVersions(version, installed);
    if (order === 0 || (order < 0 && to === undefined))
      return { ...found, version: installed, status: to === undefined ? 'current' : 'unchanged' };
    if (check) return { ...found, status: 'available' };

    if (order < 0) await refuseAcrossMigration(ctx, { version, schema }, data);
    const target = `${process.platform.replace('win32', 'windows')}-${process.arch}`;
    const file = release.files[target];
    if (!file)
      throw new CommandError(
        'not_found',
        `hubline ${version} has no file for ${target}.`,
        'Install it with npm: npm install --global hubline',
      );
    const previous = previousOf(path);
    return ctx.perform(
      `replace ${path} with hubline ${version}, and keep the old file as ${previous}`,
      async () => {
        using fresh = await fetchProgram(ctx, { ...file, address }, path);
        const said = await describeProgram(ctx, fresh.file);
        if (said.version !== version)
          throw forged(`${file.name} says that it is hubline ${said.version}, not ${version}.`);
        await putInPlace(fresh.file, path);
        await keepCapabilities(ctx, path);
        return { ...found, status: 'upgraded', previous };
      },
    );
  },
});

const newerText = ({ version, former, date }: { version: string; former: string; date: string | null }) =>
  `hubline ${version} of ${date} is available; this is ${former}.`;

async function rollBack(
  ctx: Context,
  { path, releaseKey }: OneFile,
  data: string | undefined,
): Promise<Upgraded> {
  const previous = previousOf(path);
  if (!existsSync(previous))
    throw new CommandError(
      'not_found',
      `There is no ${previous}: nothing was upgraded here.`,
      releaseKey === ''
        ? `Before you replace it by hand, keep it: cp ${shellWord(path)} ${shellWord(previous)}`
        : 'Name the version instead: hubline upgrade --to <version>',
    );
  const cure =
    releaseKey === ''
      ? 'Replace it with the file of another version.'
      : 'Name the version instead: hubline upgrade --to <version>';
  const { version, schema } = await describeProgram(ctx, previous, cure);
  await refuseAcrossMigration(ctx, { version, schema }, data);
  return ctx.perform(`replace ${path} with ${previous}, which is hubline ${version}`, async () => {
    await putInPlace(previous, path);
    await keepCapabilities(ctx, path);
    return { installed, version, date: null, status: 'rolled_back', file: path, previous };
  });
}

/** This program, if it can replace itself. Otherwise, the error says what to type. */
function oneFileOf({ oneFile, program }: Context, to = 'latest'): OneFile {
  if (oneFile) return oneFile;
  if (program.includes('pnpm'))
    throw usageError(
      'This hubline runs from a clone of its repository.',
      'Upgrade the clone: git pull. The next start installs the rest.',
    );
  if (program.startsWith('npx'))
    throw usageError('This hubline was started by npx.', `Start that version: npx hubline@${to}`);
  throw usageError(
    'This hubline was installed by npm.',
    `Upgrade it with npm: npm install --global hubline@${to}`,
  );
}

export const commands = [upgrade] as const;
