import { visible } from './text.ts';

/** Questions to the person at the terminal. */
export interface Prompter {
  confirm(question: string): Promise<boolean>;
  /** One line of text; `check` says what is wrong with it. */
  text(question: string, check?: (answer: string) => string | true): Promise<string>;
  /** One of `choices`. */
  choose(question: string, choices: readonly string[]): Promise<string>;
  /** One line that is not shown. */
  secret(question: string): Promise<string>;
}

/** The same questions, which may quote the server, safe on a terminal. */
export const visiblePrompter = (prompter: Prompter): Prompter => ({
  confirm: (question) => prompter.confirm(visible(question)),
  text: (question, check) => prompter.text(visible(question), check),
  secret: (question) => prompter.secret(visible(question)),
  async choose(question, choices) {
    const shown = choices.map(visible);
    const chosen = await prompter.choose(visible(question), shown);
    return choices[shown.indexOf(chosen)] ?? chosen;
  },
});
