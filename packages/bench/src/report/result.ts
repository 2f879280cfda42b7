/** What a figure is to reach. */
export type Goal = { atLeast: number } | { atMost: number };

export interface Table {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}

/** What a benchmark found. */
export interface Result {
  tables: readonly Table[];
  /** What a reader must know to judge the figures. */
  notes: readonly string[];
  /** Figures by their stable key; one that could not be measured is left out. */
  figures: Readonly<Record<string, number>>;
  goals: Readonly<Record<string, Goal>>;
}
