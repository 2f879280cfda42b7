import type { z } from 'zod';
import type { EndpointName, EndpointOutput, Endpoints } from '../endpoints/index.ts';

/** A refusal as the server words it. */
export interface ErrorExample {
  message: string;
  details?: { field: string; issue: string }[];
}

/** One example, or several by name. In the format of another tool, the name of a body is its content type. */
type Body<Row> = Row extends { body: infer Schema extends z.ZodType }
  ? { body: z.input<Schema> } | { bodies: Readonly<Record<string, z.input<Schema>>> }
  : Row extends { bodies: infer Schemas }
    ? { bodies: { readonly [Type in keyof Schemas]: unknown } }
    : object;

type Response<Row, Output> = Row extends { status: 204 }
  ? object
  : { response: Output } | { responses: Readonly<Record<string, Output>> };

type Alternative<Row, Output> = Row extends { alternative: object }
  ? { alternatives: Readonly<Record<string, Output>> }
  : object;

type Errors<Row> = Row extends { errors: infer Own }
  ? { errors: { readonly [Code in keyof Own]: ErrorExample } }
  : object;

type Csv<Row> = Row extends { special: 'csv' } ? { csv: string } : object;

/** The examples that a row of the endpoints table needs. A missing one is a compile error. */
export type ExamplesOf<Name extends EndpointName> = Body<Endpoints[Name]> &
  Response<Endpoints[Name], EndpointOutput<Name>> &
  Alternative<Endpoints[Name], EndpointOutput<Name>> &
  Errors<Endpoints[Name]> &
  Csv<Endpoints[Name]>;

/** The examples of the endpoints of some resources. */
export type ExamplesFor<Resource extends string> = {
  [Name in Extract<EndpointName, `${Resource}.${string}`>]: ExamplesOf<Name>;
};

/** The examples of any endpoint. */
export interface Examples {
  body?: unknown;
  bodies?: Readonly<Record<string, unknown>>;
  response?: unknown;
  responses?: Readonly<Record<string, unknown>>;
  alternatives?: Readonly<Record<string, unknown>>;
  errors?: Readonly<Record<string, ErrorExample>>;
  csv?: string;
}

/** The pagination of a list's last page. */
export const lastPage = { next_cursor: null, has_more: false };

/** The pagination of a page that is not the last. */
export const firstPage = { next_cursor: 'MDFtNmR3M2h2YzBhbmg0ZHl6OGh4d3NwZjk.6f8Qm2Zr', has_more: true };
