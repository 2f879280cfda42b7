import { plainMarkdown } from '../../domain/templates/escaping.ts';
import { readPointer } from '../../domain/json/json-pointer.ts';
import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import { cut } from '../../domain/cut.ts';
import type { ProviderHttpRequest } from '../../outbound/provider-http.ts';
import { call, ownReason } from '../wire/call-api.ts';
import { parseJson } from '../wire/json-body.ts';
import type { ProviderConnection, Notification, NotifyResult, ProviderTools } from '../provider.ts';

const NAME = 'The Teams workflow';
// Teams takes 28 KB, and a character at most four bytes of them: those that JSON writes as `\u001b` are left out.
const MESSAGE_BYTES = 28 * 1_024;
const TEXT_MAX = 6_000;
const ESCAPED = /[^\P{Cc}\t\r\n]/gu;

/**
 * Gives a card to the workflow, which posts it. An accepted card may still not be shown: the response does not say what the workflow does
 * with it.
 */
export async function notifyTeams(
  { credentials }: ProviderConnection,
  { text, markdown, adaptiveCard }: Notification,
  tools: ProviderTools,
): Promise<NotifyResult> {
  const { webhook_url: url } = credentials;
  if (url === undefined) {
    const error =
      'the integration has no webhook_url: reconnect it with that of a workflow to send notifications';
    return { ok: false, destination: 'teams', error, refused: null };
  }
  // The query of such URLs is a secret.
  const destination = new URL(url).hostname;
  const body = JSON.stringify(message(adaptiveCard ?? card(markdown ?? plainMarkdown(text))));
  const bytes = Buffer.byteLength(body);
  if (bytes > MESSAGE_BYTES) {
    const error = `the adaptive card makes a message of ${bytes} bytes, and Teams takes at most ${MESSAGE_BYTES}`;
    return { ok: false, destination, error, refused: 'destination' };
  }
  const response = await call(tools, NAME, {
    method: 'POST',
    ...targetOf(url, tools),
    headers: { 'content-type': 'application/json' },
    body,
  });
  if (response === null) return { ok: false, destination, error: 'blocked address', refused: 'destination' };
  // The page of a proxy or the like: a workflow responds with JSON or an empty body.
  if (/^\s*</.test(response.body))
    throw new ProviderUnavailable(
      `${NAME} responded with ${response.status} and a web page, such as that of a proxy`,
    );
  if (response.status === 200 || response.status === 202) return { ok: true, destination };
  const json = parseJson(response.body);
  const reason = json.ok ? readPointer(json.value, '/error/message') : undefined;
  const because = typeof reason === 'string' ? `: ${ownReason(reason, signature(url))}` : '';
  return {
    ok: false,
    destination,
    error: `Teams responded with ${response.status}${because}`,
    refused: response.status === 401 || response.status === 403 ? 'credentials' : 'destination',
  };
}

/** The URL to call for a workflow. The operator's base URL, if there is one, replaces that of every workflow. */
function targetOf(url: string, { apiUrl }: ProviderTools): Pick<ProviderHttpRequest, 'url' | 'trusted'> {
  if (apiUrl === undefined) return { url };
  const { pathname, search } = new URL(url);
  return { url: new URL(pathname + search, apiUrl).href, trusted: true };
}

const signature = (url: string): string => new URL(url).searchParams.get('sig') ?? '';

/** An Adaptive Card with a text, in which only two breaks end a line. */
const card = (text: string): object => ({
  $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
  type: 'AdaptiveCard',
  version: '1.4',
  body: [{ type: 'TextBlock', text: plain(text).replaceAll(/\r?\n/g, '\n\n'), wrap: true }],
});

const plain = (text: string): string => cut(text.toWellFormed().replaceAll(ESCAPED, ''), TEXT_MAX);

/** A message with one Adaptive Card. */
const message = (content: object): object => ({
  type: 'message',
  attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
});
