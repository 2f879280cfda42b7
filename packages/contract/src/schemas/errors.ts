import { z } from 'zod';
import { ERROR_CODES, type ErrorCode } from '../constants/errors.ts';
import { LIMITS } from '../constants/limits.ts';

/** Specification, "Error body" 1. */
const ErrorDetail = z
  .object({
    field: z.string().describe('Path of the field, such as `credentials.token`.'),
    issue: z.string().describe('The rule that the value breaks, and how to satisfy it.'),
  })
  .describe('One field-level error.')
  .meta({ id: 'ErrorDetail' });

/** Specification, "Error body" 1. */
export const ErrorBody = z
  .object({
    error: z.object({
      code: z.enum(ERROR_CODES as [ErrorCode, ...ErrorCode[]]).describe('Error code, for programs.'),
      message: z.string().describe('The problem and its cure, for people.'),
      details: z
        .array(ErrorDetail)
        .max(LIMITS.detailsMax)
        .optional()
        .describe(`Field-level errors, if any; the first ${LIMITS.detailsMax} of them.`),
      request_id: z.string().describe('ID of the request, also in `X-Request-Id`.'),
    }),
  })
  .describe('The body of every error response.')
  .meta({ id: 'ErrorBody' });

/** The older flat form, sent when the request carries `X-Error-Format: flat`. */
export const FlatErrorBody = z
  .object({
    error: z.string().describe('Error code.'),
    message: z.string().describe('The problem and its cure.'),
    status_code: z.int().describe('The HTTP status.'),
  })
  .describe('The older, flat error body.')
  .meta({ id: 'FlatErrorBody' });
