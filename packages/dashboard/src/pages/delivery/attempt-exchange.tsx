import { LIMITS } from '@hubline/contract/constants';
import type { Attempt, DeliveryDetail } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { Lines } from '../../components/code/code-block.tsx';
import { ResponseCode } from '../../components/text/response-code.tsx';
import { CopyButton } from '../../components/text/copy-button.tsx';
import { Foreign } from '../../components/text/foreign.tsx';
import { JsonLine } from '../../components/code/json-line.tsx';
import { formatBytes, formatDuration } from '../../data/formats/format-number.ts';
import { prettyJson, readJson } from '../../data/formats/json-node.ts';
import { statusText } from '../../data/formats/status-text.ts';
import { visibleText } from '../../data/formats/visible-text.ts';
import { headersOf, SIGNATURES } from './delivery-headers.ts';

/** Bodies are cut after 4 KiB, without the half character at the cut: a body with fewer bytes was not cut. */
const CUT_BYTES = 4 * 1_024 - 3;

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

interface AttemptExchangeProps {
  readonly delivery: DeliveryDetail;
  /** Absent before the first attempt. */
  readonly attempt: Attempt | undefined;
  /** True if the webhook was changed after the attempt: it may have had another URL then. */
  readonly changedSince: boolean;
}

/** Request and response of an attempt, side by side. */
export function AttemptExchange({ delivery, attempt, changedSince }: AttemptExchangeProps) {
  return (
    <div class="io">
      <div class="code" role="region" aria-label="Request">
        <div class="code-bar">
          <b>Request</b>
          <span class="verb">POST</span>
          <span class="mono clip faint">{delivery.webhook_url ?? 'a deleted webhook'}</span>
          <span class="end">
            {delivery.webhook_url !== null && <CopyButton text={delivery.webhook_url} label="Copy the URL" />}
          </span>
        </div>
        {changedSince && (
          <p class="small faint headers-note">
            This is the webhook’s URL now. The webhook was changed after this attempt.
          </p>
        )}
        <Headers label="Request headers" headers={headersOf(delivery, attempt?.attempt ?? 1)} />
        <p class="small faint headers-note">
          {SIGNATURES.join(', ')} are computed for each attempt and not stored.
        </p>
        {delivery.request_body === null ? (
          <p class="small faint headers-note">
            The body is larger than {formatBytes(LIMITS.pageBytes)}, too large to show here. See the payload
            on its event.
          </p>
        ) : (
          <Body text={delivery.request_body} label="Request body" />
        )}
      </div>
      <div class="code" role="region" aria-label="Response">
        <div class="code-bar">
          <b>Response</b>
          {attempt && <ResponseCode status={attempt.response_status} error={attempt.error?.kind} />}
          <span class="clip">{attempt?.response_status != null && statusText(attempt.response_status)}</span>
          {attempt && (
            <span class="end">
              <span class="num">{formatDuration(attempt.duration_ms)}</span>
            </span>
          )}
        </div>
        {attempt ? (
          <Response attempt={attempt} />
        ) : (
          <p class="small dim headers-note">No attempt has ended yet.</p>
        )}
      </div>
    </div>
  );
}

function Response({ attempt }: { attempt: Attempt }) {
  const { error, response_headers: headers, response_body: body, response_status: code } = attempt;
  return (
    <>
      {error && (
        <p class="code-note">
          <span>
            <b>{code === null ? 'There was no response' : 'The response could not be read'}</b>
            <Foreign text={error.message} />
          </span>
        </p>
      )}
      {headers && <Headers label="Response headers" headers={headers} />}
      {body !== null && body !== '' && <Body text={body} label="Response body" />}
      {body !== null && bytesOf(body) >= CUT_BYTES && (
        <p class="small faint headers-note">First 4 KiB of the response</p>
      )}
      {body === '' && <p class="small faint headers-note">The body is empty.</p>}
    </>
  );
}

function Headers({ label, headers }: { label: string; headers: Readonly<Record<string, string>> }) {
  return (
    <div class="headers">
      <pre class="wrap" tabIndex={0} role="region" aria-label={label}>
        {Object.entries(headers).map(([name, value], at) => (
          <span key={name}>
            {at > 0 && '\n'}
            <span class="j-k">{visibleText(name)}</span>
            <span class="j-p">:</span> {visibleText(value)}
          </span>
        ))}
      </pre>
    </div>
  );
}

/** A body in lines and colors, or exactly as it went over the wire. */
function Body({ text, label }: { text: string; label: string }) {
  const raw = useSignal(false);
  const pretty = useMemo(() => {
    const node = readJson(text);
    return node && prettyJson(node);
  }, [text]);
  return (
    <>
      <div class="grp">
        Body
        <span class="num">{formatBytes(bytesOf(text))}</span>
        <span class="end line">
          {pretty !== undefined && (
            <span class="seg xs" role="group" aria-label={`${label} as`}>
              <button type="button" aria-pressed={!raw.value} onClick={() => (raw.value = false)}>
                Pretty
              </button>
              <button type="button" aria-pressed={raw.value} onClick={() => (raw.value = true)}>
                Raw
              </button>
            </span>
          )}
          <CopyButton text={text} label={`Copy the ${label.toLowerCase()}`} />
        </span>
      </div>
      {raw.value || pretty === undefined ? (
        <Lines text={text} label={label} />
      ) : (
        <Lines text={pretty} label={label} line={(line) => <JsonLine text={line} />} />
      )}
    </>
  );
}
