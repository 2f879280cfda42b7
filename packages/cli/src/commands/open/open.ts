import { dashboardPage, openBrowser, PAGES } from '../../client/dashboard.ts';
import { usageError } from '../../errors/errors.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';

const NAMES = Object.keys(PAGES) as (keyof typeof PAGES)[];

interface Opened {
  readonly url: string;
  /** True if a browser was opened. */
  readonly opened: boolean;
  /** The reason why none was; `null` where none was wanted. */
  readonly problem: string | null;
}

const open = define({
  path: 'open',
  summary: 'Open the dashboard in the browser; without a terminal, print its address.',
  description: 'Exit code 4 if the server has no dashboard, 9 if no browser can be opened.',
  args: { page: { summary: `${NAMES.join(', ')}; default: home`, choices: NAMES, optional: true } },
  examples: ['hubline open', 'hubline open webhooks'],
  view: view<Opened>()({
    noun: ['page', 'pages'],
    fields: ['url', 'opened', 'problem'],
    columns: ['url', 'opened'],
    id: 'url',
  }),
  say: ({ url, opened }, style) => (opened ? `${style.green('✓')} Opened ${url}` : url),
  refusal: ({ problem }) =>
    problem === null
      ? undefined
      : { message: `The browser could not be opened: ${problem}.`, hint: 'Open the address yourself.' },
  async run(ctx, { args: { page = 'home' } }): Promise<Opened> {
    const name = NAMES.find((each) => each === page);
    if (!name) throw usageError(`There is no page "${page}".`, `The pages are: ${NAMES.join(', ')}.`);
    const { baseUrl } = await ctx.settings();
    const url = await dashboardPage(ctx, baseUrl.value, {
      page: name,
      instead: 'Without one, the command line can do the same: hubline --help',
    });
    if (!ctx.interactive) return { url, opened: false, problem: null };
    const problem = await ctx.perform(`open ${url} in the browser`, () => openBrowser(url, ctx.env));
    return { url, opened: problem === null, problem };
  },
});

export const commands = [open] as const;
