import type { ApiKeyWithSecret } from '@hubline/sdk';
import { SecretOnce } from '../../components/dialogs/secret-once.tsx';
import { KeyValue } from '../../components/page/key-value.tsx';
import { program } from '../../components/code/command-samples.ts';
import { CodeSnippet } from '../../components/code/code-snippet.tsx';
import { Time } from '../../components/text/time.tsx';
import { scopesText } from './scopes.ts';

const samples = (baseUrl: string, key = '') => ({
  '.env': `HUBLINE_API_KEY=${key}
HUBLINE_BASE_URL=${baseUrl}`,
  curl: `curl ${baseUrl}/me -H "Authorization: Bearer ${key}"`,
  // The command asks for the key.
  'command line': `${program()} auth login ${location.origin}`,
});

/** Shows a new key once, with its scopes and how to use it. `note` says what happens to the key that it replaces. */
export function KeyOnce(props: {
  made: ApiKeyWithSecret | undefined;
  note?: string | undefined;
  onClose: () => void;
}) {
  const { made, note, onClose } = props;
  return (
    <SecretOnce
      title={`API key “${made?.name}”`}
      secret={made?.key}
      noun="key"
      onClose={onClose}
      size="wide"
      after={
        <>
          <CodeSnippet samples={samples(`${location.origin}/v1`, made?.key)} />
          <KeyValue
            rows={[
              ['Scopes', scopesText(made?.scopes ?? [])],
              ['Expires', <Time key="expires" value={made?.expires_at} />],
            ]}
          />
        </>
      }
    >
      <p>{note ?? 'Keep it like a password: anybody who has it can act with its rights.'}</p>
    </SecretOnce>
  );
}
