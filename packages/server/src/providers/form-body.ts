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

/** Reports whether a `content-type` is that of a form. */
export function isFormType(contentType: string | undefined): boolean {
  return /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType ?? '');
}

// Unlike `URLSearchParams`, throws on bytes that are not UTF-8 instead of replacing them.
function unescape(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}
