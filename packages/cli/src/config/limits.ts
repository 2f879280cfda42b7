import { CommandError, usageError } from '../errors/errors.ts';
import type { Globals } from '../spec/global-flags.ts';
import { parseValue } from '../spec/parse-value.ts';
import type { Config } from './config-file.ts';
import type { ProjectSettings } from './project-file.ts';
import type { Setting } from './settings.ts';

/** Time limits and retries of a command. */
export interface Limits {
  readonly timeout: number;
  readonly retries: number;
  readonly maxWait: number;
}

/** Fewer retries than the SDK's default: a person waits for the command. */
const DEFAULTS = { timeout: '30s', retries: '2', max_wait: '60s' } as const;
const RULES = {
  timeout: { type: 'duration', value: 'duration', min: 1, summary: '' },
  retries: { type: 'integer', value: 'n', summary: '' },
  max_wait: { type: 'duration', value: 'duration', min: 1, summary: '' },
} as const;

/** The settings that are limits. */
export type LimitKey = keyof typeof RULES;

interface Sources {
  readonly globals: Pick<Globals, 'timeout' | 'retries' | 'maxWait'>;
  readonly project: ProjectSettings;
  readonly config: Config;
}

/** The place where a limit was written: its name there, and the cure of a wrong one. */
interface Place {
  readonly name: string;
  readonly cure: string | undefined;
}

/** A saved limit as a number; throws when it is not one. The error names its place, because nobody typed its flag. */
export function parseLimit(
  key: LimitKey,
  text: string,
  { name, cure }: Place = { name: key, cure: undefined },
): number {
  const flag = key.replace('_', '-');
  try {
    return parseValue(flag, RULES[key], { text, now: 0 }) as number;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw usageError(error.message.replace(`--${flag}`, name), cure);
  }
}

/** The limits: flag over project file over configuration over default. */
export function resolveLimits({ globals, project, config }: Sources): Limits {
  const saved = (key: LimitKey): number => {
    const inProject = project[key];
    if (inProject !== undefined)
      return parseLimit(key, inProject, { name: `${key} in ./.hubline.toml`, cure: 'Correct it there.' });
    return parseLimit(key, config.defaults?.[key] ?? DEFAULTS[key], {
      name: `${key} in the configuration`,
      cure: `Such as: hubline config set ${key} ${DEFAULTS[key]}`,
    });
  };
  return {
    timeout: globals.timeout ?? saved('timeout'),
    retries: globals.retries ?? saved('retries'),
    maxWait: globals.maxWait ?? saved('max_wait'),
  };
}

/** The limits as text, with where they come from. */
export function explainLimits({ globals, project, config }: Sources): Record<LimitKey, Setting> {
  const explain = (key: LimitKey, flag: number | undefined): Setting => {
    if (flag !== undefined) {
      return { value: key === 'retries' ? String(flag) : `${flag}ms`, source: `--${key.replace('_', '-')}` };
    }
    const [inProject, saved] = [project[key], config.defaults?.[key]];
    if (inProject !== undefined) return { value: inProject, source: './.hubline.toml' };
    if (saved !== undefined) return { value: saved, source: 'configuration' };
    return { value: DEFAULTS[key], source: 'default' };
  };
  return {
    timeout: explain('timeout', globals.timeout),
    retries: explain('retries', globals.retries),
    max_wait: explain('max_wait', globals.maxWait),
  };
}
