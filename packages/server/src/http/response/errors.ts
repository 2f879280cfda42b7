import { DeletedMeanwhile } from '../../domain/faults/deleted-meanwhile.ts';
import { Fault } from '../../domain/faults/fault.ts';
import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import { StorageLocked, StorageUnavailable } from '../../domain/faults/storage-unavailable.ts';
import type { Logger } from '../../log/log.ts';
import { headersOf, statusOf } from './http-fault.ts';
import type { TextReply } from './reply.ts';

/** Turns a thrown error into a response; the only place that does. Specification, "Error body" 1 and 2, both forms. */
export function toErrorResponse(
  error: unknown,
  request: { id: string; flat: boolean },
  log: Logger,
): TextReply {
  const fault = toFault(error);
  // A fault is expected: the code that threw it has logged what is worth logging.
  if (statusOf(fault) >= 500 && fault !== error)
    log.error({ err: error, request_id: request.id }, fault.message);
  if (error instanceof DeletedMeanwhile) log.warn({ err: error, request_id: request.id }, error.message);
  const body = request.flat
    ? { error: fault.reason, message: fault.message, status_code: statusOf(fault) }
    : {
        error: {
          code: fault.code,
          message: fault.message,
          ...(fault.details ? { details: fault.details } : {}),
          request_id: request.id,
        },
      };
  return { status: statusOf(fault), headers: headersOf(fault), body: JSON.stringify(body) };
}

function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof StorageLocked) {
    return new Fault(
      'service_unavailable',
      'The service waited too long for a lock of its database. Nothing was stored. Retry in a few seconds.',
      { retryAfterSeconds: 5 },
    );
  }
  if (error instanceof StorageUnavailable) {
    return new Fault(
      'service_unavailable',
      'The service cannot store anything at the moment. Retry in a few seconds.',
      { retryAfterSeconds: 2 },
    );
  }
  if (error instanceof DeletedMeanwhile) {
    return new Fault('not_found', `${error.message} This request stored nothing.`);
  }
  if (error instanceof ProviderUnavailable) {
    return new Fault('service_unavailable', `${error.message}. Nothing was changed; retry later.`, {
      retryAfterSeconds: error.retryAfterSeconds,
    });
  }
  // The real cause is only in the log, beside the request ID.
  return new Fault('internal_error', 'Internal error. Retry, and report the request ID if it happens again.');
}
