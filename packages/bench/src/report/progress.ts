/** Progress on standard error. Standard output is for results. */
export function progress(message: string): void {
  process.stderr.write(`${message}\n`);
}
