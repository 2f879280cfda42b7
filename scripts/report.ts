/** Ends a guard: prints its problems, one per line, and sets the exit code. */
export function report(problems: readonly string[], checked: string): void {
  for (const problem of problems) console.error(problem);
  console.log(
    problems.length === 0 ? `${checked}: no problems` : `${checked}: ${problems.length} problem(s)`,
  );
  if (problems.length > 0) process.exitCode = 1;
}
