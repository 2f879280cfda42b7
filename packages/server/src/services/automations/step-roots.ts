/** The first words of paths in conditions and templates of steps. */
export const STEP_ROOTS = ['event', 'trigger', 'data', 'automation', 'run', 'steps'] as const;
