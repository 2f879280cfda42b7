/** The database cannot take the write now: full disk, lock, lost connection. If the commit was sent already, it may be stored. */
export class StorageUnavailable extends Error {
  override readonly name: string = 'StorageUnavailable';

  constructor(options: { cause: unknown }, message = 'The database cannot take writes at the moment.') {
    super(message, options);
  }
}

/** Another session holds a lock that was needed, and has not released it in time. Nothing was stored. */
export class StorageLocked extends StorageUnavailable {
  override readonly name = 'StorageLocked';

  constructor(options: { cause: unknown }) {
    super(options, 'Another session of the database holds a lock that is needed.');
  }
}
