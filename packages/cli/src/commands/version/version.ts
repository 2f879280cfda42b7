import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';
import { version } from '../../about.ts';

/** A program, as it describes itself to the one that it replaces. */
export interface Version {
  readonly version: string;
  readonly node: string;
  readonly platform: string;
  /** The newest step of the database's schema that it knows. */
  readonly schema: string;
  /** The version of its SQLite; `null` where that cannot be loaded. */
  readonly sqlite: string | null;
}

const versionCommand = define({
  path: 'version',
  summary: 'Print the version: the same as hubline --version.',
  examples: ['hubline version', 'hubline version --json'],
  view: view<Version>()({
    noun: ['version', 'versions'],
    fields: ['version', 'node', 'platform', 'schema', 'sqlite'],
    columns: ['version', 'node', 'platform'],
    id: 'version',
  }),
  say: ({ version: text }) => text,
  async run() {
    const { SCHEMA, sqliteVersion } = await import('@hubline/server');
    return {
      version,
      node: process.versions.node,
      platform: process.platform,
      schema: SCHEMA,
      sqlite: sqliteVersion(),
    };
  },
});

export const commands = [versionCommand] as const;
