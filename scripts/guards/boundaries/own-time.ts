const HANDED_A_CLOCK = /^packages\/server\/src\/(?:domain|db|services|providers|http|delivery|jobs|limits)\//;

/** Problems with files that are handed a clock and read the system's. The linter refuses `Date.now`, but has no rule for this. */
export function ownTime(files: readonly { path: string; text: string }[]): string[] {
  return files
    .filter(({ path }) => HANDED_A_CLOCK.test(path) && !/\.(?:test|fixture)\.ts$/.test(path))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          line.includes('new Date()')
            ? [`${path}:${index + 1} reads the system's time: use the clock in Deps`]
            : [],
        ),
    );
}
