import { parseArgs, type ParseArgsConfig } from 'node:util';
import { type Target, TARGETS } from './targets.ts';

/** The error of a script that cannot do what it was asked for. Its message is a sentence with the cure. */
export class Refusal extends Error {}

/** The error of a wrong command line. The usage follows the message. */
class WrongUsage extends Refusal {}

type Options = NonNullable<ParseArgsConfig['options']>;

interface Script<Flags extends Options> {
  readonly usage: string;
  readonly options: Flags;
  run(values: ReturnType<typeof parseArgs<{ options: Flags }>>['values']): void | Promise<void>;
}

/** Runs a script with its flags. A refusal is reported without a stack, because it is not a bug. */
export async function runScript<Flags extends Options>({
  usage,
  options,
  run,
}: Script<Flags>): Promise<void> {
  if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
    console.log(usage);
    return;
  }
  try {
    await run(valuesOf(options));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(`Error: ${error.message}${error instanceof WrongUsage ? `\n\n${usage}` : ''}`);
    process.exitCode = 2;
  }
}

function valuesOf<Flags extends Options>(options: Flags) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')) throw error;
    const [sentence = ''] = (error as Error).message.split(/\.(?:\s|$)/);
    throw new WrongUsage(`${sentence}.`);
  }
}

/** The systems that a value of `--target` names: separated by commas, or `all`. */
export function targetsOf(names: string): readonly Target[] {
  if (names === 'all') return TARGETS;
  return names.split(',').map((name) => {
    const target = TARGETS.find((one) => one.name === name);
    if (target) return target;
    throw new WrongUsage(
      `--target: ${name === '' ? 'the name of a system is missing' : `there is no ${name}`}; there are ${TARGETS.map((one) => one.name).join(', ')} and all.`,
    );
  });
}
