/** Quotes a text for a POSIX shell, which changes nothing in single quotes. */
export const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * Quotes a text for PowerShell, which changes nothing in single quotes. It takes curly quotes for straight ones, and two in a row
 * for one (about_Quoting_Rules).
 */
export const quotedForPowerShell = (text: string): string => `'${text.replaceAll(/['‘’‚‛]/g, '$&$&')}'`;

/**
 * A command that sets `key` to the key of Standard Webhooks in hex, from a secret in a variable: the decoded bytes after whsec_, or the
 * bytes of any other secret.
 */
export const hexKeyOf = (variable: string): string => `key=$(case "$${variable}" in
  whsec_*) printf %s "\${${variable}#whsec_}" | openssl base64 -d -A ;;
  *) printf %s "$${variable}" ;;
esac | od -An -v -tx1 | tr -d ' \\n')`;

/** A request to the API, with the key in HUBLINE_API_KEY. */
interface ApiCall {
  /** @default 'GET' */
  readonly method?: string;
  readonly url: string;
  /** JSON. */
  readonly body?: string;
  /** True for a response that does not end. */
  readonly streams?: boolean;
}

/** The request as commands to paste into a terminal; the one for the reader's shell comes first. */
export function shellSamples(call: ApiCall): Readonly<Record<string, string>> {
  const samples = [
    ['curl', curl(call)],
    ['PowerShell', powerShell(call)],
  ] as const;
  return Object.fromEntries(isWindows() ? samples.toReversed() : samples);
}

/** Reports whether the reader's shell is PowerShell rather than a POSIX one. */
export const isWindows = (): boolean => navigator.userAgent.includes('Windows');

function curl({ method = 'GET', url, body = '', streams = false }: ApiCall): string {
  const implied = body === '' ? 'GET' : 'POST';
  return [
    `curl ${streams ? '-N ' : ''}${method === implied ? '' : `-X ${method} `}${quoted(url)}`,
    '-H "Authorization: Bearer $HUBLINE_API_KEY"',
    ...(body === '' ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(body)}`]),
  ].join(' \\\n  ');
}

/**
 * Uses Invoke-RestMethod, unless the response is a stream: `curl` in PowerShell may be another program, and Windows PowerShell breaks
 * the quotes of arguments.
 */
function powerShell({ method = 'GET', url, body = '', streams = false }: ApiCall): string {
  if (streams)
    return `curl.exe -N ${quotedForPowerShell(url)} -H "Authorization: Bearer $env:HUBLINE_API_KEY"`;
  return [
    `Invoke-RestMethod ${quotedForPowerShell(url)} -Method ${method}`,
    '-Headers @{ Authorization = "Bearer $env:HUBLINE_API_KEY" }',
    // Without a charset, Windows PowerShell sends Latin-1.
    ...(body === ''
      ? []
      : ["-ContentType 'application/json; charset=utf-8'", `-Body ${quotedForPowerShell(body)}`]),
  ].join(' `\n  ');
}
