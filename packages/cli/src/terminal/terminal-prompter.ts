import { confirm, input, password, select } from '@inquirer/prompts';
import { Interrupted } from '../errors/errors.ts';
import type { Style } from './io.ts';
import type { Prompter } from './prompter.ts';

/** Prompts on the terminal. They are drawn on stderr, because stdout is for data. Loaded by the first question. */
export function terminalPrompter(
  streams: { output: NodeJS.WritableStream; signal: AbortSignal },
  style: Style,
): Prompter {
  const theme = themeOf(style);
  const ask = async <T>(question: Promise<T>): Promise<T> => {
    try {
      return await question;
    } catch (error) {
      // Ctrl-C, or the end of the input: no answer will come.
      if (error instanceof Error && /^(?:ExitPrompt|AbortPrompt)Error$/.test(error.name))
        throw new Interrupted('SIGINT');
      throw error;
    }
  };
  return {
    confirm: (message) => ask(confirm({ message, theme, default: false }, streams)),
    text: (message, check) => ask(input({ message, theme, ...(check && { validate: check }) }, streams)),
    choose: (message, choices) => ask(select({ message, theme, choices }, streams)),
    secret: (message) => ask(password({ message, theme, mask: true }, streams)),
  };
}

/** The colors of all other output: the library's blue is hard to read on black, its cyan on white, and it tests stdout for both. */
function themeOf({ bold, dim, green, red }: Style) {
  return {
    prefix: { idle: bold('?'), done: green('✓') },
    style: {
      answer: bold,
      message: bold,
      error: (text: string) => red(`> ${text}`),
      defaultAnswer: (text: string) => dim(`(${text})`),
      help: dim,
      highlight: bold,
      key: (text: string) => bold(`<${text}>`),
    },
  };
}
