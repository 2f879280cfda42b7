/** The rows found for a page. */
export interface Found<Row> {
  rows: Row[];
  /** The position to go on from when enough was looked at for one request and too little of it matched; otherwise `null`. */
  resume: number | null;
}

/** A page: its beginning, and the number of rows it wants. */
export interface PageRequest {
  /** The position of the last row of the previous page; `null` for the first page. */
  after: string | null;
  limit: number;
}
