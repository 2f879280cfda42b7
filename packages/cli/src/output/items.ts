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

/** The error of one item, as it is printed among the other items. */
interface ItemError {
  readonly code: string;
  readonly message: string;
  readonly details?: ErrorReport['details'];
}

/** One item of many that could not be handled; the others continue. A program gets its fields. */
export class Failure {
  readonly error: ItemError;
  /** The item as people know it. Private, so that a program does not get it. */
  readonly #label: string;

  /** `about`: the fields that say which item it is. Default: its ID. */
  constructor(label: string, { code, message, details }: ItemError, about: object = { id: label }) {
    this.#label = label;
    Object.assign(this, about);
    this.error = { code, message, ...(details && details.length > 0 && { details }) };
  }

  get label(): string {
    return this.#label;
  }
}
