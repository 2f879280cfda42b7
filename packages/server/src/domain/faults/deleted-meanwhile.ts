/** The owner of a write, such as its workspace, was deleted after it was looked up. Nothing of the write is stored. */
export class DeletedMeanwhile extends Error {
  override readonly name = 'DeletedMeanwhile';

  constructor(options: { cause: unknown }) {
    super('The resource that this belongs to has just been deleted.', options);
  }
}
