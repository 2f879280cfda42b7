import { confirm, input, password, select } from '@inquirer/prompts';
import { Interrupted } from '../errors.ts';
import type { Prompter } from './prompter.ts';

/** Prompts on the terminal. They are drawn on stderr, because stdout is for data. Loaded by the first question. */
export function terminalPrompter(streams: { output: NodeJS.WritableStream; signal: AbortSignal }): Prompter {
  const ask = async <T>(question: Promise<T>): Promise<T> => {
    try {
      return await question;
    } catch (error) {
      // Ctrl-C, or the end of the input: both mean that nobody answers.
      if (error instanceof Error && /^(?:ExitPrompt|AbortPrompt)Error$/.test(error.name))
        throw new Interrupted('SIGINT');
      throw error;
    }
  };
  return {
    confirm: (message) => ask(confirm({ message, default: false }, streams)),
    text: (message, check) => ask(input({ message, ...(check && { validate: check }) }, streams)),
    choose: (message, choices) => ask(select({ message, choices }, streams)),
    secret: (message) => ask(password({ message, mask: true }, streams)),
  };
}
