import type { Hubline, RequestOptions } from '@hubline/sdk';
import { createClient } from './client/create-client.ts';
import { resolveWorkspace } from './client/resolve-workspace.ts';
import { configDirectory } from './config/config-directory.ts';
import { type Config, configFile, readConfig } from './config/config-file.ts';
import { type Limits, resolveLimits } from './config/limits.ts';
import { type ProjectSettings, readProjectFile } from './config/project-file.ts';
import { requireApiKey, resolveSettings, type Settings } from './config/settings.ts';
import { NotDone, onThisMachine, readOnlyKeychain, type Step } from './dry-run/steps.ts';
import { usageError } from './errors.ts';
import type { Keychain } from './keychain/keychain.ts';
import type { Host } from './host.ts';
import { createStyle, type Style } from './io.ts';
import { chooseFormat, isMachineFormat } from './output/format.ts';
import { createProgress, type Progress } from './output/progress.ts';
import { breakLines } from './output/wrap.ts';
import { asTyped } from './program-name.ts';
import type { Prompter } from './prompt/prompter.ts';
import type { Globals } from './spec/global-flags.ts';

/** Everything a command works with. What costs time is a function: it is made when it is first asked for. */
export interface Context extends Omit<Host, 'prompter'> {
  readonly globals: Globals;
  /** Colours for stdout. */
  readonly style: Style;
  /** Whether somebody can answer a question. */
  readonly interactive: boolean;
  /** Whether a program reads the output. */
  readonly machine: boolean;
  /** Options of every request: its end on Ctrl-C, and the key of the one write of this command. */
  readonly request: RequestOptions;
  /** What a dry run has left undone. */
  readonly steps: Step[];
  /** Does something to this machine. A dry run only notes it, in the words of `what`, and ends there. */
  perform<Result>(what: string, work: () => Result | Promise<Result>): Promise<Result>;
  configDirectory(): string;
  config(): Promise<Config>;
  saveConfig(config: Config): Promise<void>;
  /** `./.hubline.toml`. */
  project(): Promise<ProjectSettings>;
  settings(): Promise<Settings>;
  /** How long to wait, and how often to try. */
  limits(): Promise<Limits>;
  client(): Promise<Hubline>;
  /** The id of the workspace to act in. */
  workspace(): Promise<string>;
  /** The prompts; a usage error where nobody can answer. `instead` names the flag that takes their place. */
  prompt(instead: string): Promise<Prompter>;
  /** How far long work is. */
  readonly progress: Progress;
  /** One line for people on stderr, not with `--quiet`. */
  note(text: string): Promise<void>;
  /** The same, also with `--quiet`: something that nobody can ask for again, or what a question is about. */
  tell(text: string): Promise<void>;
  /** A note that belongs below the output, once that is printed. */
  noteBelow(text: string): void;
  /** Prints the notes that belong below the output. */
  tellBelow(): Promise<void>;
  /** A warning on stderr, always. */
  warn(text: string): Promise<void>;
}

/** The context of one command line. */
export function createContext(host: Host, globals: Globals): Context {
  const { io, env, now, signal } = host;
  const set = (name: string): boolean => ![undefined, '', '0', 'false'].includes(env[name]);
  // Streams last: each is made when it is looked at.
  const interactive = (): boolean =>
    !globals.noInput && !set('HUBLINE_NO_INPUT') && !set('CI') && io.stderr.isTTY && io.stdin.isTTY;
  const errStyle = createStyle(io.stderr, { when: globals.color, env });
  const directory = (): string => configDirectory(env);
  const progress = createProgress(io.stderr, { now, quiet: globals.quiet, env });
  const tell = (text: string): Promise<void> => {
    progress.clear();
    const width = io.stderr.isTTY ? io.stderr.columns : Infinity;
    return io.stderr.write(`${breakLines(asTyped(text, host.program), width)}\n`);
  };
  const warn = (text: string): Promise<void> => tell(`${errStyle.yellow('Warning:')} ${text}`);

  let reading: Config | undefined;
  let opening: Promise<Keychain | null> | undefined;
  let looking: Promise<ProjectSettings> | undefined;
  let resolving: Promise<Settings> | undefined;
  let connecting: Promise<Hubline> | undefined;
  let locating: Promise<string> | undefined;

  const below: string[] = [];
  const steps: Step[] = [];

  const watched = (keychain: Keychain | null): Keychain | null =>
    keychain && globals.dryRun ? readOnlyKeychain(keychain, steps) : keychain;

  const resolve = async (): Promise<Settings> =>
    resolveSettings({
      globals,
      env,
      config: await ctx.config(),
      project: await ctx.project(),
      savedKey: async (name, saved) => {
        const { loadKey } = await import('./keychain/saved-key.ts');
        return loadKey(ctx, name, saved);
      },
    });

  const ctx: Context = {
    io,
    program: host.program,
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
    config: async () => (reading ??= readConfig(directory(), (text) => void warn(text))),
    saveConfig: async (config) => {
      reading = config;
      if (globals.dryRun) {
        steps.push(onThisMachine(`save ${configFile(directory())}`));
        return;
      }
      const { writeConfig } = await import('./config/write-config.ts');
      await writeConfig(directory(), config);
    },
    cwd: host.cwd,
    cache: host.cache,
    onUnhandled: host.onUnhandled,
    blocking: host.blocking,
    pager: host.pager,
    // A keychain that cannot be loaded is none: its library is optional.
    keychain: () => (opening ??= host.keychain().then(watched, () => null)),
    project: () => (looking ??= readProjectFile(host.cwd)),
    settings: () => (resolving ??= resolve()),
    limits: async () => resolveLimits({ globals, project: await ctx.project(), config: await ctx.config() }),
    client: () =>
      (connecting ??= ctx
        .settings()
        .then((settings) =>
          createClient(ctx, { baseURL: settings.baseUrl.value, apiKey: requireApiKey(settings) }),
        )),
    workspace: () => (locating ??= resolveWorkspace(ctx)),
    prompt: async (instead) => {
      if (!interactive())
        throw usageError(`${instead} is needed where nobody can be asked.`, `Add ${instead}.`);
      return host.prompter(errStyle);
    },
    note: async (text) => {
      if (!globals.quiet) await tell(text);
    },
    tell,
    noteBelow: (text) => void below.push(text),
    tellBelow: async () => {
      for (const text of below.splice(0)) await ctx.note(text);
    },
    warn,
    progress,
  };
  return ctx;
}
