/** The label and hint of one credential. */
export interface CredentialText {
  readonly label: string;
  readonly hint?: string;
  /** The hint if a value is stored already, which an empty field keeps. */
  readonly hintIfStored?: string;
  readonly placeholder?: string;
}

const GITHUB: Readonly<Record<string, CredentialText>> = {
  token: {
    label: 'Token',
    hint: 'A personal access token, or one of an app. To register the webhook, it needs admin:repo_hook, admin:org_hook or the permission “Webhooks”.',
  },
  repository: {
    label: 'Repository',
    placeholder: 'octo-org/hello-world',
    hint: 'Source of the events. Without it, add the webhook at GitHub yourself.',
  },
  organization: {
    label: 'Organization',
    placeholder: 'octo-org',
    hint: 'Instead of a repository: the source is all of its repositories.',
  },
  webhook_secret: {
    label: 'Webhook secret',
    hint: 'Leave empty to generate one.',
    hintIfStored: 'Leave empty to keep the stored one.',
  },
  domain: {
    label: 'GitHub Enterprise host',
    placeholder: 'github.example.com',
    hint: 'Only for your own server.',
  },
};

const CUSTOM: Readonly<Record<string, CredentialText>> = {
  secret: {
    label: 'Secret',
    hint: 'The secret that the tool signs with, or sends. Leave empty to generate one.',
    hintIfStored: 'The secret that the tool signs with, or sends. Leave empty to keep the stored one.',
  },
  header: {
    label: 'Header',
    placeholder: 'X-Signature',
    hint: 'Header with the signature or token.',
  },
  prefix: {
    label: 'Prefix',
    placeholder: 'sha256=',
    hint: 'Text before the signature or token in the header.',
  },
  signed: {
    label: 'Signed text',
    placeholder: '{timestamp}.{body}',
    hint: 'Template with {body}, and {timestamp} and {id} if they are signed too. Empty: only the body is signed.',
  },
  timestamp_header: {
    label: 'Timestamp header',
    placeholder: 'X-Timestamp',
    hint: 'Required if {timestamp} is signed.',
  },
  tolerance_seconds: {
    label: 'Tolerance (seconds)',
    placeholder: '300',
    hint: 'Maximum age of a signed timestamp.',
  },
  source: {
    label: 'Source',
    placeholder: 'custom',
    hint: 'Source of the events: the name of the tool.',
  },
  notify_url: {
    label: 'URL for notifications',
    placeholder: 'https://chat.example.com/hooks/…',
    hint: 'Receives notifications in the format of Slack’s incoming webhooks.',
  },
  event_type_header: {
    label: 'Event type header',
    placeholder: 'X-Event-Type',
    hint: 'Header with the event type. Without it, the type is custom.',
  },
  event_type_pointer: {
    label: 'Event type in the body',
    placeholder: '/event/type',
    hint: 'JSON pointer to the value.',
  },
  delivery_id_header: {
    label: 'Delivery ID header',
    placeholder: 'X-Delivery-Id',
    hint: 'A repeated call with the same ID creates no second event.',
  },
  delivery_id_pointer: {
    label: 'Delivery ID in the body',
    placeholder: '/id',
    hint: 'JSON pointer to the value.',
  },
};

/** The fields of a custom integration whose stored values may be removed. */
export const CUSTOM_NAMES = Object.keys(CUSTOM);

const OAUTH: Readonly<Record<string, CredentialText>> = {
  client_id: { label: 'Client ID', hint: 'Of the app.' },
  client_secret: { label: 'Client secret', hint: 'Stored encrypted, and not shown again.' },
  signing_secret: { label: 'Signing secret', hint: 'Signs the calls of the app.' },
  domain: { label: 'Host', hint: 'Only for your own server.' },
};

const PROVIDERS: Readonly<Record<string, Readonly<Record<string, CredentialText>>>> = {
  github: GITHUB,
  custom: CUSTOM,
  oauth: OAUTH,
};

/** Words with capital letters of their own. */
const ACRONYMS: Readonly<Record<string, string>> = { api: 'API', id: 'ID', url: 'URL', oauth: 'OAuth' };

function readable(name: string): string {
  const words = name
    .split('_')
    .map((word) => ACRONYMS[word] ?? word)
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The label and hint of a credential; for one that is not known here, its name in words. */
export const credentialText = (provider: string, name: string): CredentialText =>
  PROVIDERS[provider]?.[name] ?? { label: readable(name) };

/** Reports whether a credential must not be visible on the screen. */
export const isSecretCredential = (name: string): boolean =>
  /(?:^|_)(?:token|secret|password|key|credentials?)$/.test(name);
