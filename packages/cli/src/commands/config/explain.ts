import { explainLimits } from '../../config/limits.ts';
import { resolvePager } from '../../config/pager.ts';
import { maskKey } from '../../config/saved-connections.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';

interface Explained {
  readonly setting: string;
  readonly value: string | null;
  /** The flag, variable or context that set it. */
  readonly source: string | null;
}

export const command = define({
  path: 'config explain',
  summary:
    'Show every setting in use, and what set it: flag, environment, ./.hubline.toml, context or default.',
  examples: ['hubline config explain', 'hubline config explain --context prod --json'],
  view: view<Explained>()({
    noun: ['setting', 'settings'],
    fields: ['setting', 'value', 'source'],
    columns: ['setting', { path: 'value', flexible: true }, 'source'],
    id: 'setting',
  }),
  async *run(ctx): AsyncGenerator<Explained> {
    const { context, baseUrl, apiKey, workspace } = await ctx.settings();
    const { globals, env } = ctx;
    const config = await ctx.config();
    const limits = explainLimits({ globals, project: await ctx.project(), config });
    const pager = resolvePager({ noPager: globals.noPager, env, config });
    const rows = { context, base_url: baseUrl, api_key: apiKey, workspace, ...limits, pager };
    for (const [setting, found] of Object.entries(rows)) {
      const value = found && setting === 'api_key' ? maskKey(found.value) : found?.value;
      yield { setting, value: value ?? null, source: found?.source ?? null };
    }
  },
});
