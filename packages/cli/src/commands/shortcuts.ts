/** Words that people try first, and the commands that they stand for. They are not nouns: `hubline --help` lists the commands. */
export const SHORTCUTS: Readonly<Record<string, readonly [noun: string, verb: string]>> = {
  login: ['auth', 'login'],
  logout: ['auth', 'logout'],
  status: ['auth', 'status'],
  logs: ['event', 'tail'],
};
