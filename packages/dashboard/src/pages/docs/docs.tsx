import { API_KEY_PATTERN } from '@hubline/contract/constants';
import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../../components/icons/icon.tsx';
import { Logo } from '../../components/icons/logo.tsx';
import { ErrorPanel } from '../../components/page/error-panel.tsx';
import { Loading } from '../../components/page/loading.tsx';
import { useAction } from '../../data/queries/use-action.ts';
import { type ApiOperation, type ApiReference, readReference } from './api-document.ts';
import { Operation } from './operation.tsx';
import { TryIt } from './try-it.tsx';
import { Verb } from './verb.tsx';

const DOCUMENT = '/v1/openapi.json';
const KEY = new RegExp(`^${API_KEY_PATTERN}$`);

/** The API reference, made in the browser from the server's own OpenAPI document. Nobody has to be logged in to read it. */
export function DocsPage() {
  const reference = useSignal<ApiReference>();
  const load = useAction(async () => {
    const response = await fetch(DOCUMENT);
    if (!response.ok)
      throw new Error(`The server responded with ${response.status} instead of its OpenAPI document.`);
    reference.value = readReference((await response.json()) as Record<string, unknown>);
  });
  useEffect(() => {
    document.title = 'API reference · Hubline';
    void load.run();
  }, []);
  const apiKey = useSignal('');
  const workspaceId = useSignal('');
  useEffect(() => {
    workspaceId.value = '';
    if (!KEY.test(apiKey.value)) return;
    const abort = new AbortController();
    void workspaceOf(apiKey.value, abort.signal).then((id) => (workspaceId.value = id));
    return () => abort.abort();
  }, [apiKey.value]);

  const count = reference.value?.operations.length;
  return (
    <div class="reference">
      <main class="sheet" id="main">
        <header class="head">
          <a class="brand" href="/" aria-label="Hubline, open the dashboard">
            <Logo /> <span>Hubline</span>
          </a>
          <h1>API reference</h1>
          <span class="sub">{count === undefined ? 'v1' : `v1, ${count} operations`}</span>
          <div class="acts">
            <label class="input key-input">
              <Icon name="key" size="s" />
              <input
                type="password"
                autoComplete="off"
                placeholder="Your API key"
                aria-label="Your API key"
                title="Used only for requests from this page. Not stored."
                onInput={({ currentTarget }) => (apiKey.value = currentTarget.value.trim())}
              />
            </label>
            <a class="btn" href={DOCUMENT} download="openapi.json">
              <Icon name="arrowdown" size="s" />
              OpenAPI file
            </a>
          </div>
        </header>
        {load.error !== undefined && (
          <div class="body">
            <ErrorPanel of={{ error: load.error, reload: () => void load.run() }} />
          </div>
        )}
        {reference.value ? (
          <Reference reference={reference.value} apiKey={apiKey.value} workspaceId={workspaceId.value} />
        ) : (
          load.error === undefined && (
            <div class="body">
              <Loading rows={12} />
            </div>
          )
        )}
      </main>
    </div>
  );
}

interface ReferenceProps {
  readonly reference: ApiReference;
  readonly apiKey: string;
  readonly workspaceId: string;
}

function Reference({ reference: { operations }, apiKey, workspaceId }: ReferenceProps) {
  const { path } = useLocation();
  const search = useSignal('');
  const [, , id] = path.split('/');
  const [first] = operations;
  const shown = operations.find((each) => each.id === id) ?? first;
  const article = useRef<HTMLElement>(null);
  useEffect(() => article.current?.scrollTo(0, 0), [shown]);
  if (!shown) return null;
  const found = operations.filter((each) => matches(each, search.value));
  const groups = [...new Set(found.map(({ group }) => group))];
  return (
    <div class="panes docs">
      <nav class="scroll" aria-label="Operations">
        <div class="pane-head">
          <label class="input">
            <Icon name="search" size="s" />
            <input
              type="search"
              placeholder="Find an operation"
              aria-label="Find an operation"
              onInput={({ currentTarget }) => (search.value = currentTarget.value)}
            />
          </label>
        </div>
        <div class="ops">
          {groups.map((group) => (
            <div key={group}>
              <h2>{group}</h2>
              {found
                .filter((each) => each.group === group)
                .map((each) => (
                  <a
                    key={each.id}
                    href={`/docs/${each.id}`}
                    title={each.title}
                    aria-current={each === shown ? 'page' : undefined}
                  >
                    <Verb method={each.method} />
                    <span class="clip">{each.title}</span>
                  </a>
                ))}
            </div>
          ))}
          {found.length === 0 && <p class="faint small">No operation matches.</p>}
        </div>
      </nav>
      <article class="scroll" ref={article} tabIndex={0} aria-label={shown.title}>
        <div class="pane-body">
          <Operation operation={shown} key={shown.id} />
        </div>
      </article>
      <section class="board scroll" aria-label="Try it">
        <div class="pane-body close">
          <TryIt operation={shown} apiKey={apiKey} workspaceId={workspaceId} key={shown.id} />
        </div>
      </section>
    </div>
  );
}

/** Reports whether the names of an operation contain every word of a search. */
function matches({ id, title, path, group, method }: ApiOperation, search: string): boolean {
  const text = `${id} ${title} ${path} ${group} ${method}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** The first workspace of a key; empty if the key has none, or is not one of this server. */
async function workspaceOf(apiKey: string, signal: AbortSignal): Promise<string> {
  try {
    const response = await fetch('/v1/me', {
      signal,
      credentials: 'omit',
      headers: { Authorization: `Bearer ${apiKey}` },
    });
    if (!response.ok) return '';
    const me = (await response.json()) as { memberships: readonly { workspace_id: string }[] };
    return me.memberships[0]?.workspace_id ?? '';
  } catch {
    // The reader fills in the workspace; a request that fails says why.
    return '';
  }
}
