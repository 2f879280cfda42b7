import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Context } from '../../context.ts';
import { onThisMachine } from '../../dry-run/steps.ts';
import { CommandError, usageError } from '../../errors/errors.ts';
import { RawText } from '../../output/items.ts';
import { define } from '../../spec/command.ts';
import type { FlagTable } from '../../spec/flag.ts';
import { view } from '../../spec/view.ts';
import { awaitServer, healthUrl, requirePorts } from './await-server.ts';
import { planFor } from './plan.ts';
import { passOn, requireManager, runAll, runProgram, tryAll } from './run-program.ts';
import type { ServicePlan } from './service-plan.ts';
import { requireProgramIn, serviceProgram } from './service-program.ts';
import { SETTING_FLAGS, startSettings } from './start-settings.ts';
import { entryIn, placeIn } from './platforms/systemd/image-place.ts';
import { installCommand } from './platforms/systemd/systemd-settings.ts';

const ROOT_FLAG = {
  root: {
    type: 'text',
    value: 'dir',
    summary: 'Work on the system image in this directory, not on this machine (systemd)',
  },
} as const satisfies FlagTable;

interface Installed {
  readonly service: string;
  /** The files of the service. */
  readonly files: readonly string[];
  readonly data: string;
  /** A step that is left to the user who installs it; `null` if there is none. */
  readonly advice: string | null;
}

const serviceView = view<Installed>()({
  noun: ['service', 'services'],
  fields: ['service', 'files', 'data', 'advice'],
  columns: ['service', 'data'],
  id: 'service',
});

interface Wanted {
  /** Settings for an installation. Without them, the plan is for the existing service, wherever this program is. */
  readonly settings?: Readonly<Record<string, string>>;
  /** `--root`. */
  readonly named?: string | undefined;
}

/** The directory that every path begins with: empty for this machine, or the one that `--root` named. */
function rootOf(ctx: Context, named: string | undefined): string {
  if (named === '')
    throw usageError('--root is empty.', 'Name the directory of the system image, or leave it out.');
  const asked = named === undefined ? ctx.systemRoot : ctx.absolute(named);
  if (named !== undefined && !statSync(asked, { throwIfNoEntry: false })?.isDirectory())
    throw usageError(`--root ${asked} is not a directory.`, 'Name the directory of the system image.');
  return existsSync(asked) && realpathSync(asked) === '/' ? '' : asked;
}

/** The plan for this machine, or for the image in `--root`, whose program is found by its `PATH`. */
function planOf(ctx: Context, { settings, named }: Wanted = {}): { service: ServicePlan; root: string } {
  const root = rootOf(ctx, named);
  const service = planFor(process.platform, {
    program: settings && root === '' ? serviceProgram(process) : ['/usr/bin/env', 'hubline'],
    settings: settings ?? {},
    root,
    user: ctx.env['SUDO_USER'] ?? 'root',
  });
  if (service === undefined)
    throw usageError(
      `There is no service manager for ${process.platform}.`,
      'hubline service supports systemd, launchd and the Task Scheduler of Windows.',
    );
  if (root !== '' && service.installInImage.length === 0)
    throw usageError('--root is for systemd.', 'Leave it out to work on this machine.');
  return { service, root };
}

/** The plan for the running system. */
function planHere(ctx: Context): ServicePlan {
  const { service, root } = planOf(ctx);
  if (root === '') return service;
  throw new CommandError(
    'not_found',
    `The system in ${root} is not running.`,
    'Start that system, and run this there.',
  );
}

/** The files to write, in their places in the image. Refuses links by which the service manager would leave it. */
function placedFiles({ files, links }: ServicePlan, root: string): ServicePlan['files'] {
  if (links !== undefined) placeIn(root, links, { byOthers: true });
  return files.map((file) => ({ ...file, path: placeIn(root, file.path, { byOthers: !file.keep }) }));
}

/** The files of the installed service. Throws if there is none. */
function installedFiles({ files: planned, links }: ServicePlan, root: string): string[] {
  if (links !== undefined) placeIn(root, links, { byOthers: true });
  const files = planned
    .filter(({ keep }) => !keep)
    .map(({ path }) => entryIn(root, path, { byOthers: true }));
  if (files.some((file) => existsSync(file))) return files;
  throw new CommandError('not_found', 'There is no service hubline.', `Install it: ${installCommand(root)}`);
}

function requireAdministrator(root: string): void {
  if (root !== '' || process.getuid?.() === 0 || process.platform === 'win32') return;
  throw usageError('Only root may change the services of this system.', 'Run it with sudo.');
}

const install = define({
  path: 'service install',
  summary: 'Run the server as a service on this machine: now, and whenever the machine starts.',
  description:
    'On Linux a hardened systemd unit with its own user, on macOS a launchd daemon, on Windows a task that starts with the machine. Takes the flags of server start; on Linux it writes them to /etc/hubline/env, where you can change them. Run it again after a change there or an upgrade: it checks the settings, restarts the service, and keeps settings and data. It waits until the server responds; if that ends, or is silent for a minute, it exits with code 7 and the end of the log.',
  danger: 'confirm',
  question: () => 'Run the server as a service on this machine from now on?',
  flags: { ...SETTING_FLAGS, ...ROOT_FLAG },
  examples: [
    'hubline service install --domain hub.example.com',
    'hubline service install --public-url https://hub.example.com --behind-proxy',
    'hubline service install --backup-every 24h --backup-to /mnt/backups/hubline',
  ],
  view: serviceView,
  say: ({ files, data }, style) =>
    `${style.green('✓')} Installed the service hubline: ${files.join(', ')}. Its data is in ${data}`,
  next: ({ advice }, { flags: { root } }) => {
    const its = root === undefined ? 'Its log has' : 'When the system runs, its log has';
    return `${advice === null ? '' : `${advice}\n`}${its} the setup link: hubline service logs`;
  },
  async run(ctx, { flags: { root: named, ...flags } }): Promise<Installed> {
    const root = rootOf(ctx, named);
    const { data } = planOf(ctx, { named }).service;
    const { settings, fromFlags, config } = await startSettings(ctx, flags, { root, data });
    const { service } = planOf(ctx, { settings, named });
    requireAdministrator(root);
    requireManager(service);
    requireProgramIn(root);
    const files = placedFiles(service, root);
    const kept = files.find(({ keep, path }) => keep && existsSync(path));
    if (kept && fromFlags && readFileSync(kept.path, 'utf8') !== kept.text)
      throw new CommandError(
        'conflict',
        `${kept.path} has the settings of the service already.`,
        `Change them there, and run ${installCommand(root)} without settings.`,
      );
    const written = files.filter((file) => file !== kept);
    const { refuseForeignPath } = await import('@hubline/server');
    for (const { path } of service.files.filter(({ keep }) => !keep || !kept))
      refuseForeignPath(join(root, path));
    if (root === '') await requirePorts(ctx, { service, config });
    const { advice = null } = service;
    if (ctx.globals.dryRun)
      ctx.steps.push(
        ...written.map(({ path, text }) => onThisMachine(`write ${path}`, shown(text))),
        ...(advice === null ? [] : [onThisMachine('leave a step to you', [advice])]),
      );
    return ctx.perform(
      root === '' ? 'start the service, now and with the machine' : 'start the service with the machine',
      async () => {
        for (const { path, text, mode } of written) {
          await mkdir(dirname(path), { recursive: true });
          await writeFile(path, text, { mode });
          await chmod(path, mode);
        }
        await runAll(root === '' ? service.install : service.installInImage, ctx);
        const url = healthUrl(config);
        if (root === '' && url !== null) await awaitServer(ctx, { service, url });
        return {
          service: 'hubline',
          files: files.map(({ path }) => path),
          data: service.data,
          advice,
        };
      },
    );
  },
});

/** The lines of a file, without the passwords in their URLs. */
const shown = (text: string): string[] =>
  text
    .trimEnd()
    .replaceAll(/(:\/\/[^\s:@/]*:)[^\s@/]*@/g, '$1***@')
    .split('\n');

interface Status {
  readonly service: string;
  readonly running: boolean;
  /** The output of the service manager. */
  readonly report: string;
}

const status = define({
  path: 'service status',
  summary: 'Show the state of the service. Exit code 9 if it is not running.',
  examples: ['hubline service status', 'hubline service status --json=running'],
  view: view<Status>()({
    noun: ['service', 'services'],
    fields: ['service', 'running', 'report'],
    columns: ['service', 'running'],
    id: 'service',
  }),
  show: ({ report }) => `${report.trim()}\n`,
  refusal: ({ running }) =>
    running
      ? undefined
      : {
          message: 'The service is not running.',
          hint: 'See why: hubline service logs. Start it again: hubline service install',
        },
  async run(ctx): Promise<Status> {
    const service = planHere(ctx);
    const { text, code } = await runProgram(service.status, ctx);
    if (code !== 0) {
      requireManager(service);
      installedFiles(service, '');
    }
    return { service: 'hubline', running: code === 0, report: text };
  },
});

const logs = define({
  path: 'service logs',
  summary: 'Print the last 200 lines of the log of the service.',
  flags: { follow: { type: 'boolean', short: 'f', summary: 'Keep printing new lines' } },
  live: true,
  examples: ['hubline service logs', 'hubline service logs --follow'],
  view: serviceView,
  async *run(ctx, { flags: { follow } }): AsyncGenerator<Installed | RawText> {
    const service = planHere(ctx);
    installedFiles(service, '');
    for await (const text of passOn(service.logs({ follow }), ctx)) yield new RawText(text);
  },
});

const uninstall = define({
  path: 'service uninstall',
  summary: 'Stop the service and remove it. Its data and its settings stay.',
  danger: 'confirm',
  question: () => 'Stop the server of this machine, and remove its service?',
  flags: ROOT_FLAG,
  examples: ['hubline service uninstall --yes'],
  view: serviceView,
  say: ({ data }, style) => `${style.green('✓')} Removed the service. The data is still in ${data}`,
  async run(ctx, { flags: { root: named } }): Promise<Installed> {
    const { service, root } = planOf(ctx, { named });
    requireAdministrator(root);
    const files = installedFiles(service, root);
    return ctx.perform(`stop the service, and remove ${files.join(' and ')}`, async () => {
      const failed = await tryAll(service.uninstall, ctx);
      for (const file of files) await rm(file, { force: true });
      failed.push(...(await tryAll(service.forget, ctx)));
      if (failed.length > 0)
        throw new CommandError(
          'partial',
          `Removed ${files.join(' and ')}, but ${failed.join('; ')}`,
          'If the server still runs, stop it by hand. Its data and its settings stay.',
        );
      return { service: 'hubline', files, data: service.data, advice: null };
    });
  },
});

export const commands = [install, status, logs, uninstall] as const;
