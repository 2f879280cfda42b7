/** What is going on, on standard error: standard output is for results. */
export function progress(message: string): void {
  process.stderr.write(`${message}\n`);
}
