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
