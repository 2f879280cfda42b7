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

/** What does not fit, in one line; `null` when everything does. */
export async function schemaIssues(schema: StandardSchema, value: unknown): Promise<string | null> {
  const { issues } = await schema['~standard'].validate(value);
  if (!issues) return null;
  return issues
    .slice(0, 5)
    .map(({ message, path = [] }) => `${path.map(segmentOf).join('.') || 'the whole'}: ${message}`)
    .join('; ');
}

/** A path holds keys, or objects that hold one. */
const segmentOf = (segment: unknown): string =>
  String(typeof segment === 'object' && segment !== null && 'key' in segment ? segment.key : segment);
