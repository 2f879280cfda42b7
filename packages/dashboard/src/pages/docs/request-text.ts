import { shellSamples } from '../../components/code/shell-samples.ts';
import type { ApiOperation } from './api-document.ts';

/** A request to the API, as the reader has filled it in. */
export interface RequestDraft {
  readonly operation: ApiOperation;
  /** Values of the path and the query by name. */
  readonly values: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The path of a request below `/v1`. A parameter without a value keeps its name, as in `{id}`. */
export function pathOf({ operation, values }: RequestDraft): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (place, name: string) =>
    values[name] ? encodeInPath(values[name]) : place,
  );
  const query = new URLSearchParams(
    operation.inQuery.flatMap(({ name }) => (values[name] ? [[name, values[name]]] : [])),
  ).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Also encodes the single quote, which ends the text in the samples. */
const encodeInPath = (value: string): string => encodeURIComponent(value).replaceAll("'", '%27');

/** The request in several languages, to paste; the key comes from the environment. */
export function samplesOf(draft: RequestDraft, origin: string): Readonly<Record<string, string>> {
  const { method } = draft.operation;
  const url = `${origin}/v1${pathOf(draft)}`;
  const body = draft.operation.body ? draft.body.trim() : '';
  return {
    ...shellSamples({ method, url, body, streams: draft.operation.streams }),
    JavaScript: [
      `const response = await fetch('${url}', {`,
      `  method: '${method}',`,
      '  headers: {',
      '    Authorization: `Bearer ${process.env.HUBLINE_API_KEY}`,',
      ...(body === '' ? [] : ["    'Content-Type': 'application/json',"]),
      '  },',
      ...(body === '' ? [] : [`  body: JSON.stringify(${indent(body)}),`]),
      '});',
      method === 'DELETE'
        ? 'console.log(response.status);'
        : 'console.log(response.status, await response.json());',
    ].join('\n'),
    Python: [
      ...(body === '' ? ['import os, requests'] : ['import json, os, requests']),
      '',
      'response = requests.request(',
      `    '${method}',`,
      `    '${url}',`,
      "    headers={'Authorization': f\"Bearer {os.environ['HUBLINE_API_KEY']}\"},",
      ...(body === '' ? [] : [`    json=json.loads(r'''${body.replaceAll("'''", TRIPLE_QUOTE)}'''),`]),
      ')',
      'print(response.status_code, response.text)',
    ].join('\n'),
  };
}

/** The three quotes that would end the text in Python, as JSON also writes them. */
const TRIPLE_QUOTE = String.raw`\u0027\u0027\u0027`;

const indent = (body: string) => body.split('\n').join('\n  ');
