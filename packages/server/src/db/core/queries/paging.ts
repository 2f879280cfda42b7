/** The rows found for a page. */
export interface FoundRows<Row> {
  rows: Row[];
  /**
   * The position to continue from, if the request read its maximum of rows before the page was full; otherwise `null`.
   */
  resume: number | null;
}

/** The page to read: its beginning, and the number of rows. */
export interface PageRequest {
  /** The position of the last row of the previous page; `null` for the first page. */
  after: string | null;
  limit: number;
}
