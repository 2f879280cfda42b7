import { parseBaseUrl } from '../../config/base-url.ts';
import { connectionInfo } from '../../config/saved-connections.ts';
import { CommandError, usageError } from '../../errors.ts';
import { define } from '../../spec/command.ts';
import { connectionView } from '../../views/connection.ts';

export const command = define({
  path: 'context create',
  summary: 'Save a connection without a key, from --base-url and --workspace. With a key: hubline auth login',
  args: { context: { summary: 'Name' } },
  examples: ['hubline context create staging --base-url https://staging.acme.test/v1 -w acme'],
  view: connectionView,
  say: ({ name, base_url }, style) => `${style.green('✓')} Saved context ${name} (${base_url})`,
  async run(ctx, { args: { context: name } }) {
    const { baseUrl, workspace } = ctx.globals;
    if (baseUrl === undefined) throw usageError('--base-url is missing.', 'A context is about a server.');
    const config = await ctx.config();
    if (Object.hasOwn(config.contexts, name)) {
      throw new CommandError(
        'conflict',
        `There is a context "${name}" already.`,
        'See: hubline context show',
      );
    }
    const saved = {
      base_url: parseBaseUrl(baseUrl, '--base-url'),
      ...(workspace !== undefined && { workspace }),
    };
    const changed = { ...config, contexts: { ...config.contexts, [name]: saved } };
    await ctx.saveConfig(changed);
    return connectionInfo(changed, name);
  },
});
