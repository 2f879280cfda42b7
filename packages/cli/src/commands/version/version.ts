import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';
import { version } from '../../version.ts';

interface Version {
  readonly version: string;
  readonly node: string;
  readonly platform: string;
}

const versionCommand = define({
  path: 'version',
  summary: 'Print the version: the same as hubline --version.',
  examples: ['hubline version', 'hubline version --json'],
  view: view<Version>()({
    noun: ['version', 'versions'],
    fields: ['version', 'node', 'platform'],
    columns: ['version', 'node', 'platform'],
    id: 'version',
  }),
  say: ({ version: text }) => text,
  run: async () => ({ version, node: process.versions.node, platform: process.platform }),
});

export const commands = [versionCommand] as const;
