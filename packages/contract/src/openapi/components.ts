import { z } from 'zod';
import { documentedSchema } from '../schemas/common.ts';
import type { Json } from './json.ts';

type Section = 'schemas' | 'headers' | 'parameters' | 'responses';

/** Collects the components that operations share and refer to by name. */
export class Components {
  readonly #sections: Record<Section, Map<string, unknown>> = {
    schemas: new Map(),
    headers: new Map(),
    parameters: new Map(),
    responses: new Map(),
  };

  // Converting takes milliseconds, and the same few schemas come up in every operation.
  readonly #converted = new WeakMap<z.ZodType, Json>();

  /** Keeps `value` under `name`, and returns a reference to it. */
  refer(section: Section, name: string, value: unknown): Json {
    this.#sections[section].set(name, value);
    return { $ref: `#/components/${section}/${name}` };
  }

  /** A schema as JSON Schema: a reference if it has a name, inline otherwise. */
  schema(schema: z.ZodType): Json {
    let json = this.#converted.get(schema);
    if (!json) {
      json = this.#convert(schema);
      this.#converted.set(schema, json);
    }
    return json;
  }

  #convert(schema: z.ZodType): Json {
    // The input form: in a request, a field with a default is optional.
    const {
      $schema: _,
      $defs = {},
      ...root
    } = JSON.parse(
      JSON.stringify(
        z.toJSONSchema(documentedSchema(schema), { io: 'input', override: complete }),
      ).replaceAll('"#/$defs/', '"#/components/schemas/'),
    ) as Json & { $defs?: Record<string, Json> };
    for (const [name, definition] of Object.entries($defs)) this.#keep(name, definition);
    return typeof root['id'] === 'string' ? this.#keep(root['id'], root) : root;
  }

  // Without its title, which names a way to connect: some generators name the type after it, and two titles are the same.
  #keep(name: string, { id: _, title: __, ...schema }: Json): Json {
    return this.refer('schemas', name, schema);
  }

  /** Every section that is not empty, with its entries sorted by name. */
  toJSON(): Json {
    const sections = Object.entries(this.#sections).filter(([, entries]) => entries.size > 0);
    return Object.fromEntries(
      sections.map(([section, entries]) => [
        section,
        Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1))),
      ]),
    );
  }
}

type Override = NonNullable<z.core.ToJSONSchemaParams['override']>;

/** Adds facts about a schema that zod knows but does not print. */
const complete: Override = ({ zodSchema, jsonSchema }) => {
  // zod leaves out the default of a query parameter that is parsed from text, such as a number.
  const named = z.globalRegistry.get(zodSchema)?.default;
  if (named !== undefined) jsonSchema.default = named;
  // Generators would make a body field with a default required. Its description names the default instead.
  if (zodSchema instanceof z.ZodDefault) delete jsonSchema.default;
  // Generators read an integer without a format as 32 bits, and fail on the free bytes of a disk.
  if (jsonSchema.type === 'integer' && jsonSchema.maximum === Number.MAX_SAFE_INTEGER)
    jsonSchema.format = 'int64';
  if (zodSchema instanceof z.ZodDiscriminatedUnion) {
    const discriminator = discriminatorOf(zodSchema.def);
    if (discriminator) Object.assign(jsonSchema, { discriminator });
  }
};

/** The discriminator of a union; `undefined` if an option takes several values, which validators do not support. */
function discriminatorOf({ discriminator, options }: z.core.$ZodDiscriminatedUnionDef): Json | undefined {
  const mapping = options.map((option) => {
    const value = option instanceof z.ZodObject ? (option.shape as z.ZodRawShape)[discriminator] : undefined;
    const { id } = z.globalRegistry.get(option) ?? {};
    if (id === undefined)
      throw new Error(
        `Each option of a union by ${discriminator} needs an ID, in the last \`meta\` of its schema.`,
      );
    return [value instanceof z.ZodLiteral ? value.value : null, `#/components/schemas/${id}`] as const;
  });
  if (mapping.some(([name]) => name === null)) return undefined;
  return { propertyName: discriminator, mapping: Object.fromEntries(mapping) };
}
