// Values are escaped, so that none leaves its attribute or text. But a URL can do harm as it is.

/** Tags that run, load or redirect something. */
const ACTIVE = /<(?=\/?(?:script|iframe|object|embed|applet|base|meta|link|form)\b)/gi;
const HANDLER = /([\s"'/])on[a-z]+\s*=(?=\s*["'])/gi;
// Text such as "once = 1" is no handler: without a quote, only what is inside a tag is one.
const TAG = /<[a-z](?:[^"'<>]|"[^"]*"|'[^']*')*>/gi;
const BARE_HANDLER = /([\s/])on[a-z]+\s*=/gi;
const ADDRESS =
  /([\s"'/](?:href|src|srcset|action|formaction|background|poster|xlink:href)\s*=\s*)("[^"]*"|'[^']*'|[^\s>]+)/gi;
// A scheme ends with a colon before the first slash. One that is written as an entity counts as unknown.
const SAFE = /^(?:https?:|mailto:|[^:&/?#]*(?:[/?#]|$))/i;

/**
 * Makes the HTML of a filled template safe: links lead to http, https and mailto only, and nothing runs. Looks at the whole text, because
 * mail programs differ in what they take for a tag.
 */
export const safeHtml = (html: string): string =>
  html
    .replaceAll(ACTIVE, '&lt;')
    .replaceAll(HANDLER, '$1data-off=')
    .replaceAll(TAG, (tag) => tag.replaceAll(BARE_HANDLER, '$1data-off='))
    .replaceAll(ADDRESS, (attribute, name: string, value: string) =>
      SAFE.test(value.replaceAll(/^["']|["']$/g, '').trimStart()) ? attribute : `${name}"#"`,
    );

/** The fault of an HTML template that has a script in it; `null` for none. */
export const scriptFault = (html: string | null): string | null =>
  html !== null && /<script\b/i.test(html)
    ? 'must not contain <script>, which no mail program runs; leave it out'
    : null;
