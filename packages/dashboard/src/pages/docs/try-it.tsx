import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { Button } from '../../components/controls/button.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { ErrorPanel } from '../../components/page/error-panel.tsx';
import { ResponseCode } from '../../components/text/response-code.tsx';
import { CodeSnippet } from '../../components/code/code-snippet.tsx';
import { JsonViewer } from '../../components/code/json-viewer.tsx';
import { formatDuration } from '../../data/formats/format-number.ts';
import { statusText } from '../../data/formats/status-text.ts';
import { useAction } from '../../data/queries/use-action.ts';
import type { ApiOperation } from './api-document.ts';
import { type RequestDraft, pathOf, samplesOf } from './request-text.ts';

interface TryItProps {
  readonly operation: ApiOperation;
  /** The reader's own; used only for requests from this page, and not stored. */
  readonly apiKey: string;
  /** The workspace of the key, for parameters that ask for one. */
  readonly workspaceId: string;
}

/** The response to a request that the reader has sent. */
interface Received {
  readonly status: number;
  readonly ms: number;
  readonly text: string;
}

/** The request as the reader fills it in, to copy or to send, and the response. */
export function TryIt({ operation, apiKey, workspaceId }: TryItProps) {
  const values = useSignal<Readonly<Record<string, string>>>({});
  const body = useSignal(operation.body?.example ?? '');
  const received = useSignal<Received | null>(null);
  const places = [...operation.inPath, ...operation.inQuery];
  const own = useMemo(
    () => (workspaceId === '' ? {} : workspacePlaces(operation, workspaceId)),
    [operation, workspaceId],
  );
  const draft: RequestDraft = { operation, values: { ...own, ...values.value }, body: body.value };
  const send = useAction(async () => {
    received.value = null;
    received.value = await request(draft, apiKey);
  });
  const open = operation.inPath.find(({ name }) => !draft.values[name]);
  useEffect(() => {
    // The workspace of the key belongs in the body as well.
    if (workspaceId !== '')
      body.value = body.value.replace(/"workspace_id": "ws_\w+"/, `"workspace_id": "${workspaceId}"`);
  }, [workspaceId]);
  const blocked =
    apiKey === ''
      ? 'Enter an API key first'
      : operation.streams
        ? 'The response is a stream: run the command above'
        : open && `Enter ${open.name} first`;
  return (
    <>
      {places.length > 0 && (
        <form class="try-fields" aria-label="Parameters" onSubmit={(event) => event.preventDefault()}>
          {places.map(({ name, example, required }) => (
            <TextField
              key={`${operation.id} ${name} ${own[name] ?? ''}`}
              name={name}
              label={required ? name : `${name} (optional)`}
              value={draft.values[name] ?? ''}
              placeholder={example}
              mono
              onInput={(value) => (values.value = { ...values.value, [name]: value })}
            />
          ))}
        </form>
      )}
      {operation.body && (
        <label class="field">
          Body
          <textarea
            class="input area"
            data-mono
            rows={Math.min(14, body.value.split('\n').length + 1)}
            spellcheck={false}
            value={body.value}
            onInput={({ currentTarget }) => (body.value = currentTarget.value)}
          />
        </label>
      )}
      <CodeSnippet samples={samplesOf(draft, location.origin)} />
      <div class="line">
        <Button
          kind="primary"
          icon="arrow"
          pending={send.pending}
          blocked={blocked}
          onClick={() => void send.run()}
        >
          Send with your key
        </Button>
        <span class="faint small">
          {blocked ?? (operation.method === 'GET' ? 'Reads only' : 'Changes real data')}
        </span>
      </div>
      <div role="status">
        <ErrorPanel of={send} />
        {received.value && <ReceivedResponse received={received.value} />}
      </div>
    </>
  );
}

function ReceivedResponse({ received: { status, ms, text } }: { received: Received }) {
  const bar = (
    <>
      <b>Response</b>
      <ResponseCode status={status} />
      <span class="clip">{statusText(status)}</span>
      <span class="num faint">{formatDuration(ms)}</span>
    </>
  );
  return <JsonViewer text={text === '' ? '(no body)' : text} label="Response" bar={bar} />;
}

/** The parameters in the path and the query that ask for a workspace. */
function workspacePlaces({ inPath, inQuery }: ApiOperation, id: string): Readonly<Record<string, string>> {
  const wanted = [...inPath, ...inQuery].filter(
    ({ name, example }) => name === 'workspace_id' || example.startsWith('ws_'),
  );
  return Object.fromEntries(wanted.map(({ name }) => [name, id]));
}

async function request(draft: RequestDraft, apiKey: string): Promise<Received> {
  const { method, body } = draft.operation;
  const began = performance.now();
  const response = await fetch(`/v1${pathOf(draft)}`, {
    method,
    // The key alone authenticates the request, not the session of the dashboard.
    credentials: 'omit',
    headers: { Authorization: `Bearer ${apiKey}`, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: draft.body }),
  });
  const text = await response.text();
  return { status: response.status, ms: Math.round(performance.now() - began), text };
}
