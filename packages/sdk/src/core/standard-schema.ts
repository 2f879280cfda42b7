/**
 * The part of a Standard Schema (standardschema.dev) that the SDK needs. Schemas of zod, valibot and arktype have it.
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
 * The verdict of a {@link StandardSchema}: `issues` when a value does not fit.
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
  /** Everything that does not fit, with its place; absent when all does. */
  readonly issues?:
    | readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[]
    | undefined;
}
