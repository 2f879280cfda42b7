import { isFormType, readForm } from '../../wire/form-body.ts';
import { decodeUtf8, isJsonObject, type ParsedJson, parseJson } from '../../wire/json-body.ts';

/** An event's payload as text and value, or what is wrong with the body. */
export type AnyBody =
  | { ok: true; text: string; value: Record<string, unknown>; isSketch: boolean }
  | { ok: false; issue: string };

const JSON_TYPE = /^\s*(?:application|text)\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
const TEXT_TYPE = /^\s*text\//i;

/**
 * Turns any body into a JSON object. An object is kept as it came; other JSON becomes `{"data": …}`, a form becomes an
 * object of its fields, and text becomes `{"text": …}`. A text that begins like JSON is tried as JSON whatever its
 * content type, because `curl -d` calls everything a form.
 */
export function readAnyBody(contentType: string | undefined, body: Buffer): AnyBody {
  const text = decodeUtf8(body);
  if (text === null) return { ok: false, issue: 'is not UTF-8' };
  const type = contentType ?? '';
  if (JSON_TYPE.test(type)) return asObject(parseJson(text));
  const json = /^\s*[[{]/.test(text) ? parseJson(text) : null;
  if (json?.ok) return asObject(json);
  if (isFormType(type)) return asForm(text);
  if (TEXT_TYPE.test(type)) return printed({ text });
  return asObject(json ?? parseJson(text));
}

function asObject(json: ParsedJson): AnyBody {
  if (!json.ok) return json;
  const { text, value, isSketch } = json;
  if (isJsonObject(value)) return { ok: true, text, value, isSketch };
  return { ok: true, text: `{"data":${text}}`, value: { data: value }, isSketch };
}

function asForm(text: string): AnyBody {
  const form = readForm(text);
  if (!form.ok) return form;
  const { fields } = form;
  return Object.keys(fields).length === 0 ? { ok: false, issue: 'is empty' } : printed(fields);
}

function printed(value: Record<string, unknown>): AnyBody {
  return { ok: true, text: JSON.stringify(value), value, isSketch: false };
}
