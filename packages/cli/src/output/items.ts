import type { ErrorReport } from '../errors/describe-error.ts';

/** Text that is printed as it is, whatever the format: a document that the server has made already. */
export class RawText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Bytes that are printed as they are: a file. */
export class RawBytes {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** The error of one item, as it is printed beside the others. */
interface ItemError {
  readonly code: string;
  readonly message: string;
  readonly details?: ErrorReport['details'];
}

/** One item of many that could not be handled; the others continue. */
export class Failure {
  readonly id: string;
  readonly error: ItemError;

  constructor(id: string, { code, message, details }: ItemError) {
    this.id = id;
    this.error = { code, message, ...(details && details.length > 0 && { details }) };
  }
}
