/** Where a page begins, and how many rows it wants. */
export interface PageRequest {
  /** The position of the last row of the previous page; `null` for the first page. */
  after: string | null;
  limit: number;
}
