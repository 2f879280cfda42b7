/** Memory of a server, in bytes. */
export interface Memory {
  /** The resident set, in which V8 and the allocator keep room that they needed once. */
  resident: number;
  /** The memory in use: a leak shows here first. */
  live: number;
}
