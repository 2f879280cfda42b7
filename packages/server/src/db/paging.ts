/** What was found for a page. */
export interface Found<Row> {
  rows: Row[];
  /** Where to go on when enough was looked at for one request and too little of it matched; otherwise `null`. */
  resume: number | null;
}

/** Where a page begins, and how many rows it wants. */
export interface PageRequest {
  /** The position of the last row of the previous page; `null` for the first page. */
  after: string | null;
  limit: number;
}
