/**
 * What the SDK needs of a Standard Schema (standardschema.dev), which zod, valibot and arktype schemas are.
 *
 * @example
 * ```ts
 * import type { StandardSchema } from '@hubline/sdk';
 *
 * const hasEmail: StandardSchema = {
 *   '~standard': {
 *     validate: (value) => (JSON.stringify(value).includes('"email":') ? {} : { issues: [{ message: 'must name an e-mail' }] }),
 *   },
 * };
 * await client.me.get({ schema: hasEmail });
 * ```
 */
export interface StandardSchema {
  /** The part that the standard defines; of it, what validates. */
  readonly '~standard': {
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
  };
}

/**
 * What a {@link StandardSchema} says of a value: `issues` when it does not fit.
 *
 * @example
 * ```ts
 * import type { StandardResult } from '@hubline/sdk';
 *
 * const validate = (value: unknown): StandardResult =>
 *   value !== null && typeof value === 'object' ? {} : { issues: [{ message: 'must be an object' }] };
 * await client.me.get({ schema: { '~standard': { validate } } });
 * ```
 */
export interface StandardResult {
  /** What does not fit, and where; absent when everything does. */
  readonly issues?:
    | readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[]
    | undefined;
}
