/** The goal of a figure. */
export type Goal = { atLeast: number } | { atMost: number };

export interface Table {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}

/** The result of a benchmark. */
export interface Result {
  tables: readonly Table[];
  /** Facts that a reader needs to judge the figures. */
  notes: readonly string[];
  /** Figures by their stable key; one that could not be measured is left out. */
  figures: Readonly<Record<string, number>>;
  goals: Readonly<Record<string, Goal>>;
}
