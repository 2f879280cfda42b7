/** The fields of an `application/x-www-form-urlencoded` text, in order; `null` when an escape is not UTF-8. */
export function parseForm(text: string): [name: string, value: string][] | null {
  try {
    return text
      .split('&')
      .filter((field) => field !== '')
      .map((field) => {
        const equals = field.indexOf('=');
        return equals < 0
          ? [unescape(field), '']
          : [unescape(field.slice(0, equals)), unescape(field.slice(equals + 1))];
      });
  } catch {
    return null;
  }
}

/** The fields of a form by name, with repeated fields as a list; `null` when an escape is not UTF-8. */
export function formObject(text: string): Record<string, string | string[]> | null {
  const fields = parseForm(text);
  if (fields === null) return null;
  const values = new Map<string, string | string[]>();
  for (const [name, value] of fields) {
    const before = values.get(name);
    values.set(name, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(values);
}

/** Reports whether a `content-type` is that of a form. */
export function isFormType(contentType: string | undefined): boolean {
  return /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType ?? '');
}

// Unlike `URLSearchParams`, throws on bytes that are not UTF-8 instead of replacing them.
function unescape(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}
