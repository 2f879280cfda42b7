import { type Endpoint, type EndpointName, endpoints } from '@hubline/contract';
import { type Fault, notFound, throwAll } from '../domain/faults/fault.ts';
import { formChecks } from './handlers.ts';
import { nounOf, readBody, refuseFields, withFurther } from './request/parse-input.ts';

/** A request that is not sent. */
interface HeldBack {
  method: string;
  /** Below the base URL, without a query. */
  path: string;
  body: unknown;
}

/** A request that was checked. */
interface CheckedRequest {
  /** The summary of its endpoint: `Register a webhook.` `null` for an unknown endpoint. */
  summary: string | null;
  /** The path of the resource that it is about, to be looked up too; `null` for none. */
  target: string | null;
}

/**
 * Refuses the body of a request that the API would refuse, as far as that is known without its database. `exists` looks up a resource that
 * the body names, by its path. It serves dry runs, which send no request. A request to an unknown endpoint passes.
 */
export async function checkBody(
  { method, path, body }: HeldBack,
  exists: (path: string) => Promise<boolean>,
): Promise<CheckedRequest> {
  const rows = Object.entries<Endpoint>(endpoints);
  const found = rows.find(([, row]) => row.method === method && patternOf(row.path).test(path));
  if (!found) return { summary: null, target: null };
  const [name, row] = found;
  const params = { ...patternOf(row.path).exec(path)?.groups };
  if (row.body) {
    const read = readBody(row.body, body);
    const sound = read.ok ? read.body : read.sound;
    const faults = isObject(sound)
      ? [
          ...(formChecks[name as EndpointName]?.(sound) ?? []),
          ...(await unknownFaults(sound, params, exists)),
        ]
      : [];
    if (!read.ok) throw withFurther(read.fault, faults);
    throwAll(faults);
  } else if (!row.bodies && row.special === undefined) refuseFields(body);
  // The last thing that can be looked up: it is below the others.
  const paths = Object.keys(params).map((each) => pathOf(each, params));
  return { summary: row.summary, target: paths.findLast((path) => path !== null) ?? null };
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);

/** The fields of bodies that name a resource, with the parameter of the path at which it is found. */
const FIELDS: Readonly<Record<string, string>> = {
  workspace_id: 'id',
  integration_id: 'integrationId',
  integration_ids: 'integrationId',
  webhook_id: 'webhookId',
  template_id: 'templateId',
  event_id: 'eventId',
};

/** The fields that hold others which name a resource. The rest is not ours: a payload may have any field. */
const OUTER = new Set(['actions', 'destinations', 'events', 'trigger']);

/** The refusals of the resources that a body names and that do not exist. */
async function unknownFaults(
  body: object,
  params: Readonly<Record<string, string>>,
  exists: (path: string) => Promise<boolean>,
): Promise<Fault[]> {
  const workspace = 'workspace_id' in body ? { id: String(body.workspace_id) } : {};
  const faults: Fault[] = [];
  for (const { name, field, id } of namedIn(body)) {
    const parameter = FIELDS[name] ?? '';
    const path = pathOf(parameter, { ...params, ...workspace, [parameter]: id });
    if (path !== null && !(await exists(path))) faults.push(notFound(nounOf([name]), field));
  }
  return faults;
}

/** The path of the endpoint that gets the resource with this parameter; `null` if there is none. */
function pathOf(name: string, params: Readonly<Record<string, string>>): string | null {
  const rows: readonly Endpoint[] = Object.values(endpoints);
  const row = rows.find(({ method, path }) => method === 'GET' && path.endsWith(`/{${name}}`));
  const path = row?.path.replaceAll(/\{(\w+)\}/g, (whole, each: string) => params[each] ?? whole);
  return path === undefined || path.includes('{') ? null : path;
}

interface Named {
  name: string;
  field: string;
  id: string;
}

function namedIn(value: unknown, around = ''): Named[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = `${around}${name}`;
    const items: [string, unknown][] = Array.isArray(inner)
      ? inner.map((item: unknown, index) => [`${field}[${index}]`, item])
      : [[field, inner]];
    return items.flatMap(([field, item]) => {
      if (OUTER.has(name)) return namedIn(item, `${field}.`);
      return name in FIELDS && typeof item === 'string' ? [{ name, field, id: item }] : [];
    });
  });
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
