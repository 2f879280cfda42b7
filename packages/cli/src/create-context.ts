import type { Hubline } from '@hubline/sdk';
import { asTyped, type TypedLine } from './as-typed.ts';
import { createClient } from './client/create-client.ts';
import { resolveWorkspace } from './client/resolve.ts';
import { type Config, configDirectory, configFile, readConfig } from './config/config-file.ts';
import type { Keychain } from './config/keychain.ts';
import { resolveLimits } from './config/limits.ts';
import { type ProjectSettings, readProjectFile } from './config/project-file.ts';
import { isSet, requireApiKey, resolveSettings, type Settings } from './config/settings.ts';
import type { Context } from './context.ts';
import { NotDone, onThisMachine, readOnlyKeychain, type Step } from './dry-run/steps.ts';
import { usageError } from './errors/errors.ts';
import type { Host } from './host.ts';
import { chooseFormat, isMachineFormat } from './output/formats/format.ts';
import type { Globals } from './spec/global-flags.ts';
import { createStyle } from './terminal/io.ts';
import { createProgress } from './terminal/progress.ts';
import { visiblePrompter } from './terminal/prompter.ts';
import { breakLines, visibleLines, visibleMessage } from './terminal/text.ts';

/** The context of one command line. */
export function createContext(host: Host, globals: Globals, storage?: TypedLine['storage']): Context {
  const { io, env, now, signal } = host;
  // The streams are tested last, because that takes longest.
  const interactive = (): boolean =>
    !globals.noInput &&
    !isSet(env, 'HUBLINE_NO_INPUT') &&
    !isSet(env, 'CI') &&
    io.stderr.isTTY &&
    io.stdin.isTTY;
  const errStyle = createStyle(io.stderr, { when: globals.color, env });
  const directory = (): string => configDirectory(env);
  const progress = createProgress(io.stderr, { now, quiet: globals.quiet, env });
  const report = (text: string): Promise<void> => {
    progress.clear();
    const width = io.stderr.isTTY ? io.stderr.columns : Infinity;
    // The text may quote the server, a file, or a program of another user.
    return io.stderr.write(`${breakLines(ctx.asTyped(visibleMessage(text)), width)}\n`);
  };
  const warn = (text: string): Promise<void> =>
    report(`${errStyle.yellow('Warning:')} ${visibleLines(text)}`);

  let config: Config | undefined;
  let keychain: Promise<Keychain | null> | undefined;
  let project: Promise<ProjectSettings> | undefined;
  let settings: Promise<Settings> | undefined;
  let client: Promise<Hubline> | undefined;
  let workspace: Promise<string> | undefined;

  const below: (() => Promise<void>)[] = [];
  const steps: Step[] = [];

  const guarded = (opened: Keychain | null): Keychain | null =>
    opened && globals.dryRun ? readOnlyKeychain(opened, steps) : opened;

  const resolve = async (): Promise<Settings> =>
    resolveSettings({
      globals,
      env,
      config: await ctx.config(),
      project: await ctx.project(),
      savedKey: async (name, saved) => {
        const { loadKey } = await import('./config/saved-key.ts');
        return loadKey(ctx, name, saved);
      },
    });

  const ctx: Context = {
    io,
    program: host.program,
    asTyped: (text) => asTyped(text, { program: host.program, globals, storage }),
    programAnywhere: host.programAnywhere,
    env,
    now,
    signal,
    globals,
    get interactive() {
      return interactive();
    },
    style: createStyle(io.stdout, { when: globals.color, env }),
    machine: isMachineFormat(chooseFormat(globals)),
    request: { signal, idempotencyKey: globals.idempotencyKey },
    steps,
    perform: async (what, work) => {
      if (!globals.dryRun) return work();
      steps.push(onThisMachine(what));
      throw new NotDone();
    },
    configDirectory: directory,
    config: async () => (config ??= readConfig(directory(), (text) => void warn(text))),
    saveConfig: async (changed) => {
      const before = await ctx.config();
      config = changed;
      if (globals.dryRun) {
        steps.push(onThisMachine(`save ${configFile(directory())}`));
        return;
      }
      const { writeConfig } = await import('./config/write-config.ts');
      config = await writeConfig(directory(), { before, after: changed });
    },
    absolute: host.absolute,
    systemRoot: host.systemRoot,
    oneFile: host.oneFile,
    startInBackground: host.startInBackground,
    cache: host.cache,
    onUnhandled: host.onUnhandled,
    blocking: host.blocking,
    pager: host.pager,
    // A keychain that cannot be loaded counts as absent: its library is optional.
    keychain: () => (keychain ??= host.keychain().then(guarded, () => null)),
    project: () => (project ??= readProjectFile(host)),
    settings: () => (settings ??= resolve()),
    limits: async () => resolveLimits({ globals, project: await ctx.project(), config: await ctx.config() }),
    client: () =>
      (client ??= ctx
        .settings()
        .then((found) => createClient(ctx, { baseURL: found.baseUrl.value, apiKey: requireApiKey(found) }))),
    workspace: () => (workspace ??= resolveWorkspace(ctx)),
    prompt: async (instead) => {
      if (!interactive())
        throw usageError(`${instead} is required when there is no terminal to ask on.`, `Add ${instead}.`);
      return visiblePrompter(await host.prompter(errStyle));
    },
    note: async (text) => {
      if (!globals.quiet) await report(text);
    },
    report,
    noteBelow: (text) => void below.push(() => ctx.note(text)),
    reportBelow: (text) => void below.push(() => report(text)),
    printBelow: async () => {
      for (const print of below.splice(0)) await print();
    },
    warn,
    progress,
  };
  return ctx;
}
