import type { ApiKeyWithSecret } from '@hubline/sdk';
import { SecretOnce } from '../../components/dialogs/secret-once.tsx';
import { CodeSnippet } from '../../components/text/code-snippet.tsx';

const samples = (baseUrl: string, key = '') => ({
  curl: `export HUBLINE_API_KEY=${key}

curl ${baseUrl}/me -H "Authorization: Bearer $HUBLINE_API_KEY"`,
  CLI: `# Asks for the key, and saves it.
hubline auth login ${location.origin}`,
  TypeScript: `import { Hubline } from '@hubline/sdk';

const client = new Hubline({
  baseURL: '${baseUrl}',
  apiKey: process.env.HUBLINE_API_KEY,
});
console.log(await client.me.get());`,
});

/** A key that was just made, and how to use it. `children` says what happens to the one that it replaces. */
export function KeyOnce(props: { made: ApiKeyWithSecret | undefined; note?: string; onClose: () => void }) {
  const { made, note, onClose } = props;
  return (
    <SecretOnce
      title={`API key “${made?.name}”`}
      secret={made?.key}
      noun="key"
      onClose={onClose}
      size="wide"
      after={<CodeSnippet samples={samples(`${location.origin}/v1`, made?.key)} />}
    >
      <p>{note ?? 'Keep it like a password: anybody who has it can act with its rights.'}</p>
    </SecretOnce>
  );
}
