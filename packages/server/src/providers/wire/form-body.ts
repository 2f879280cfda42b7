/** The fields of a form by name, with repeated fields as a list; or what is wrong with it, worded to follow "The body". */
type FormObject = { ok: true; fields: Record<string, string | string[]> } | { ok: false; issue: string };

// Each field costs a hundred bytes and more: 25 MB of `a&` would take gigabytes.
const FIELDS_MAX = 10_000;

/** Reads an `application/x-www-form-urlencoded` text. */
export function readForm(text: string): FormObject {
  const values = new Map<string, string | string[]>();
  let count = 0;
  try {
    for (const [name, value] of fieldsOf(text)) {
      if ((count += 1) > FIELDS_MAX)
        return { ok: false, issue: `is a form with more than ${FIELDS_MAX.toLocaleString('en')} fields` };
      const before = values.get(name);
      if (before === undefined) values.set(name, value);
      else if (typeof before === 'string') values.set(name, [before, value]);
      else before.push(value);
    }
  } catch {
    return { ok: false, issue: 'is a form with escapes that are not UTF-8' };
  }
  return { ok: true, fields: Object.fromEntries(values) };
}

/** The first field of this name in a form; `undefined` if there is none, or its escapes are not UTF-8. */
export function fieldOf(text: string, wanted: string): string | undefined {
  try {
    for (const [name, value] of fieldsOf(text)) if (name === wanted) return value;
  } catch {
    // A form that cannot be decoded counts as one without the field.
  }
  return undefined;
}

/** The fields of a form in their order, one at a time: there may be millions. */
function* fieldsOf(text: string): Generator<[name: string, value: string]> {
  for (let start = 0; start < text.length;) {
    const next = text.indexOf('&', start);
    const end = next < 0 ? text.length : next;
    const field = text.slice(start, end);
    start = end + 1;
    if (field === '') continue;
    const equals = field.indexOf('=');
    yield equals < 0
      ? [unescape(field), '']
      : [unescape(field.slice(0, equals)), unescape(field.slice(equals + 1))];
  }
}

/** Reports whether a `content-type` is that of a form. */
export function isFormType(contentType: string | undefined): boolean {
  return /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType ?? '');
}

// Unlike `URLSearchParams`, throws on bytes that are not UTF-8 instead of replacing them.
function unescape(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}
