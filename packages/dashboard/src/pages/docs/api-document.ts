/** A field of a body, a query or a path. */
export interface ApiField {
  readonly name: string;
  /** In words, such as `list of string`. */
  readonly type: string;
  readonly required: boolean;
  readonly text: string;
  readonly example: string;
  /** Reads the fields inside this one; absent if it has none. A function, because some fields contain themselves. */
  readonly fields?: () => readonly ApiField[];
}

/** One response of an operation. */
export interface ApiResponse {
  readonly status: string;
  readonly text: string;
  readonly fields: () => readonly ApiField[];
}

/** One operation of the API, as the page shows it. */
export interface ApiOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly group: string;
  readonly title: string;
  readonly text: string;
  readonly scopes: readonly string[];
  /** Its name in the SDK, such as `events.publish`. */
  readonly sdkMethod: string | undefined;
  readonly inPath: readonly ApiField[];
  readonly inQuery: readonly ApiField[];
  readonly inHeaders: readonly ApiField[];
  readonly body: { readonly fields: readonly ApiField[]; readonly example: string } | null;
  readonly responses: readonly ApiResponse[];
  /** True if the response is a stream that does not end. */
  readonly streams: boolean;
}

/** The reference: every operation, in the order of the document. */
export interface ApiReference {
  readonly version: string;
  readonly operations: readonly ApiOperation[];
}

/** A node of the document. Its shape is checked where the document is generated. */
interface Node {
  readonly [name: string]: unknown;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Reads an OpenAPI document. */
export function readReference(document: Node): ApiReference {
  const reader = new Reader(document);
  const operations = Object.entries(nodes(document['paths'])).flatMap(([path, methods]) =>
    METHODS.filter((method) => method in methods).map((method) =>
      reader.operation(path, method, node(methods[method])),
    ),
  );
  const groups = (document['tags'] as readonly { name: string }[]).map(({ name }) => name);
  return {
    version: text(node(document['info'])['version']),
    operations: operations.toSorted((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group)),
  };
}

class Reader {
  readonly #document: Node;

  constructor(document: Node) {
    this.#document = document;
  }

  operation(path: string, method: string, row: Node): ApiOperation {
    const parameters = list(row['parameters']).map((each) => this.#resolve(each));
    const place = (where: string) =>
      parameters
        .filter((each) => each['in'] === where)
        .map((each) => this.#field(text(each['name']), { ...each, required: each['required'] === true }));
    const content = node(node(this.#resolve(node(row['requestBody']))['content'])['application/json']);
    const responses = Object.entries(nodes(row['responses'])).map(
      ([status, each]) => [status, this.#resolve(each)] as const,
    );
    return {
      id: text(row['operationId']),
      method: method.toUpperCase(),
      path,
      group: text((row['tags'] as readonly unknown[] | undefined)?.[0]),
      title: text(row['summary']),
      text: text(row['description']),
      scopes: list(row['security']).flatMap((each) => Object.values(each).flat() as string[]),
      sdkMethod: row['x-sdk-method'] as string | undefined,
      inPath: place('path'),
      inQuery: place('query'),
      inHeaders: place('header'),
      body:
        'schema' in content
          ? {
              fields: this.#fields(content['schema']),
              example: JSON.stringify(exampleOf(content) ?? {}, null, 2),
            }
          : null,
      responses: responses.map(([status, each]) => ({
        status,
        text: text(each['description']),
        fields: () => this.#fields(node(node(each['content'])['application/json'])['schema']),
      })),
      streams: responses.some(([, each]) => 'text/event-stream' in node(each['content'])),
    };
  }

  /** The fields of an object, of the items of a list, or of all the forms that a value may have. */
  #fields(schema: unknown): readonly ApiField[] {
    const resolved = this.#resolve(node(schema));
    if ('items' in resolved) return this.#fields(resolved['items']);
    const forms = alternatives(resolved).flatMap((form) => this.#fields(form));
    const required = (resolved['required'] as readonly string[] | undefined) ?? [];
    const own = Object.entries(nodes(resolved['properties'])).map(([name, each]) =>
      this.#field(name, { schema: each, required: required.includes(name) }),
    );
    return [...new Map([...own, ...forms].map((field) => [field.name, field])).values()];
  }

  #field(name: string, parameter: Node): ApiField {
    const schema = node(parameter['schema']);
    const resolved = this.#resolve(schema);
    const example = parameter['example'] as string | number | boolean | undefined;
    return {
      name,
      type: this.#type(schema),
      required: parameter['required'] === true,
      text: text(parameter['description'] ?? schema['description'] ?? resolved['description']),
      example: example === undefined ? '' : String(example),
      ...(this.#hasFields(resolved) && { fields: () => this.#fields(resolved) }),
    };
  }

  #hasFields(schema: Node): boolean {
    const resolved = this.#resolve(schema);
    if ('properties' in resolved) return true;
    const inner = 'items' in resolved ? [node(resolved['items'])] : alternatives(resolved);
    return inner.some((each) => this.#hasFields(each));
  }

  #type(schema: Node): string {
    const resolved = this.#resolve(schema);
    const values = resolved['enum'] as readonly (string | number | null)[] | undefined;
    if (values) return values.map((value) => (value === null ? 'null' : `"${String(value)}"`)).join(' | ');
    if ('const' in resolved) return `"${String(resolved['const'])}"`;
    const forms = alternatives(resolved);
    if (forms.length > 0) return [...new Set(forms.map((form) => this.#type(form)))].join(' | ');
    const types = [resolved['type'] ?? 'any'].flat().map(String);
    return types
      .map((type) => {
        if (type === 'array') return `list of ${this.#type(node(resolved['items']))}`;
        return resolved['format'] === 'date-time' && type === 'string' ? 'timestamp' : type;
      })
      .join(' | ');
  }

  #resolve(schema: Node): Node {
    const ref = schema['$ref'];
    if (typeof ref !== 'string') return schema;
    let found: Node = this.#document;
    for (const part of ref.slice(2).split('/')) found = node(found[part]);
    return this.#resolve(found);
  }
}

const node = (value: unknown): Node => (value ?? {}) as Node;
const nodes = (value: unknown) => node(value) as Readonly<Record<string, Node>>;
const list = (value: unknown) => (value ?? []) as readonly Node[];
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const alternatives = (schema: Node) =>
  ['oneOf', 'anyOf', 'allOf'].flatMap((name) => list(schema[name])).filter((form) => form['type'] !== 'null');

function exampleOf(content: Node): unknown {
  const [first] = Object.values(nodes(content['examples']));
  return content['example'] ?? first?.['value'];
}
