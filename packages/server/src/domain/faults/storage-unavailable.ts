/** The database cannot take the write now: full disk, lock, lost connection. Nothing was stored. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';

  constructor(options: { cause: unknown }) {
    super('The database cannot take writes at the moment.', options);
  }
}
