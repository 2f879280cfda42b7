import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { Section } from '../../components/page/section.tsx';
import { Icon } from '../../components/icons/icon.tsx';
import { CopyButton } from '../../components/text/copy-button.tsx';
import type { ApiField, ApiOperation } from './api-document.ts';
import { Verb } from './verb.tsx';

/** An operation: its purpose, its fields, its responses. */
export function Operation({ operation }: { operation: ApiOperation }) {
  const { method, path, title, scopes, body, responses, inPath, inQuery, inHeaders } = operation;
  const sdk = operation.sdkMethod;
  return (
    <>
      <section>
        <h2 class="lead-d">{title}</h2>
        {operation.text.split('\n\n').map((paragraph) => (
          <p key={paragraph} class="dim docs-text">
            <Words text={paragraph} />
          </p>
        ))}
      </section>
      <div class="endpoint">
        <Verb method={method} />
        <span class="mono clip grow">/v1{path}</span>
        <CopyButton text={`/v1${path}`} label="Copy the path" />
      </div>
      <div class="line wrapf gap3 small dim">
        {scopes.map((scope) => (
          <span class="state" key={scope}>
            <Icon name="key" size="s" />
            <span class="mono">{scope}</span>
          </span>
        ))}
        {sdk && (
          <span class="state">
            <Icon name="code" size="s" />
            <span class="mono">client.{sdk}</span>
          </span>
        )}
      </div>
      <Fields title="Path" fields={inPath} />
      <Fields title="Query" fields={inQuery} />
      <Fields title="Headers" fields={inHeaders} />
      {body && <Fields title="Body" fields={body.fields} />}
      <Section title="Responses">
        <div class="rows responses">
          {responses.map((response) => (
            <details key={response.status}>
              <summary>
                <span class={`code-n ${response.status < '300' ? 'ok' : 'bad'}`}>{response.status}</span>
                <span class="clip">{firstSentence(response.text)}</span>
              </summary>
              <p class="dim">
                <Words text={response.text} />
              </p>
              <Inner fields={response.fields} />
            </details>
          ))}
        </div>
      </Section>
    </>
  );
}

function Fields({ title, fields }: { title: string; fields: readonly ApiField[] }) {
  if (fields.length === 0) return null;
  return (
    <Section title={title}>
      <FieldRows fields={fields} />
    </Section>
  );
}

function FieldRows({ fields }: { fields: readonly ApiField[] }) {
  return (
    <dl class="params">
      {fields.map(({ name, type, required, text, fields: inner }) => (
        <div key={name}>
          <dt>
            <span class="mono">{name}</span>
            <small>
              {type}
              {required && (
                <>
                  , <span class="warn-t">required</span>
                </>
              )}
            </small>
          </dt>
          <dd>
            <Words text={text} />
            {inner && <Folded fields={inner} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The fields inside a field, read only when it is opened, because some contain themselves. */
function Folded({ fields }: { fields: () => readonly ApiField[] }) {
  const open = useSignal(false);
  return (
    <details class="inner" onToggle={({ currentTarget }) => (open.value = currentTarget.open)}>
      <summary>Its fields</summary>
      {open.value && <Inner fields={fields} />}
    </details>
  );
}

function Inner({ fields }: { fields: () => readonly ApiField[] }) {
  const rows = fields();
  return rows.length === 0 ? null : <FieldRows fields={rows} />;
}

/** Text of the contract: words between backticks are code. */
function Words({ text }: { text: string }) {
  return (
    <>
      {text.split('`').map((part, at) => (
        <Fragment key={at}>{at % 2 === 1 ? <code>{part}</code> : part}</Fragment>
      ))}
    </>
  );
}

const firstSentence = (text: string) => (/^[^.]*\./.exec(text)?.[0] ?? text).replaceAll('`', '');
