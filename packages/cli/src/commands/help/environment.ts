import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';

const VARIABLES = {
  HUBLINE_API_KEY: 'key to authenticate with; wins over the saved one',
  HUBLINE_API_KEY_FILE: 'file with the key, for secrets that are mounted as files',
  HUBLINE_BASE_URL: 'API to talk to, such as https://hub.example.com/v1',
  HUBLINE_WORKSPACE: 'workspace to act in: id or slug',
  HUBLINE_CONTEXT: 'saved context to use',
  HUBLINE_CONFIG_DIR: 'where the configuration is kept; default: the XDG place for it',
  HUBLINE_KEYCHAIN: 'off: keep keys in the configuration, not in the keychain of the system',
  HUBLINE_NO_INPUT: 'never ask: fail and name the flag instead',
  HUBLINE_PAGER: 'program for more than a screen; empty or cat for none (then: PAGER, less)',
  HUBLINE_DEBUG: 'show requests on stderr, like --verbose',
  NO_COLOR: 'no colour',
  CLICOLOR_FORCE: 'colour even where there is no terminal (also FORCE_COLOR)',
  CI: 'never ask: nobody is there to answer',
  HTTPS_PROXY: 'proxy for requests (also HTTP_PROXY); needs Node.js 24.5',
  NO_PROXY: 'hosts that are reached without it',
  SSL_CERT_FILE: 'file with the certificates to trust, instead of those of Node.js',
  NODE_EXTRA_CA_CERTS: 'file with more certificates to trust',
} as const;

export const command = define({
  path: 'help environment',
  summary:
    'List the variables that hubline reads. Flags win over them, and they win over ./.hubline.toml and the saved context.',
  description: 'hubline server start also reads HUBLINE_<FLAG> for each of its flags.',
  examples: ['hubline help environment'],
  view: view<{ variable: string; meaning: string }>()({
    noun: ['variable', 'variables'],
    fields: ['variable', 'meaning'],
    columns: ['variable', { path: 'meaning', flexible: true }],
    id: 'variable',
  }),
  async *run() {
    for (const [variable, meaning] of Object.entries(VARIABLES)) yield { variable, meaning };
  },
});
