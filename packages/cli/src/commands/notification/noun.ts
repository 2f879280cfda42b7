import { eachId, paged } from '../../client/lists.ts';
import { define } from '../../spec/command.ts';
import { LIST_FLAGS } from '../../spec/global-flags.ts';
import { notificationView, unreadView } from '../../views/notification.ts';

const ID = 'ntf_06f8xw2b3c4d5e6f7g8h9j0kmn';

const list = define({
  path: 'notification list',
  summary: 'List your in-app notifications, newest first.',
  aliases: ['ls'],
  endpoints: ['notifications.list'],
  list: true,
  flags: { unread: { type: 'boolean', summary: 'Only unread ones' }, ...LIST_FLAGS },
  examples: ['hubline notification list --unread'],
  view: notificationView,
  async run(ctx, { flags }) {
    const client = await ctx.client();
    const unread = flags.unread ? ('true' as const) : undefined;
    return paged(ctx, flags, (query) => client.notifications.list({ unread, ...query }, ctx.request));
  },
});

const tail = define({
  path: 'notification tail',
  summary:
    'Follow your in-app notifications as they come, until Ctrl-C. It reconnects automatically and misses nothing.',
  endpoints: ['notifications.stream'],
  live: true,
  flags: {
    since: {
      type: 'time',
      value: 'time',
      summary: 'Start with notifications after this time, or within this duration: 1h',
    },
    limit: { type: 'integer', short: 'L', value: 'n', min: 1, summary: 'Stop after this many' },
  },
  examples: ['hubline notification tail', 'hubline notification tail --json=title,severity'],
  view: notificationView,
  async *run(ctx, { flags: { since, limit = Infinity } }) {
    const client = await ctx.client();
    let count = 0;
    for await (const { notification } of client.notifications.stream({ since }, { signal: ctx.signal })) {
      if (notification === null) continue;
      yield notification;
      if ((count += 1) >= limit) return;
    }
  },
});

const count = define({
  path: 'notification count',
  summary: 'Count your unread notifications.',
  endpoints: ['notifications.unread'],
  examples: ['hubline notification count -q'],
  view: unreadView,
  show: ({ unread, email }) =>
    `${unread} unread ${unread === 1 ? 'notification' : 'notifications'}.\n` +
    (email ? '' : 'They are not sent by email: the operator of this server has to set HUBLINE_SMTP_URL.\n'),
  async run(ctx) {
    const client = await ctx.client();
    return client.notifications.unread(ctx.request);
  },
});

const read = define({
  path: 'notification read',
  summary: 'Mark notifications as read.',
  endpoints: ['notifications.update'],
  args: { notification: { summary: 'IDs; - reads them from stdin', variadic: true, ids: true } },
  examples: [`hubline notification read ${ID}`],
  view: notificationView,
  say: ({ title }, style) => `${style.green('✓')} Read: ${title}`,
  async run(ctx, { args }) {
    const client = await ctx.client();
    return eachId(ctx, args.notification, (id) =>
      client.notifications.update(id, { read: true }, ctx.request),
    );
  },
});

const readAll = define({
  path: 'notification read-all',
  summary: 'Mark all your notifications as read.',
  endpoints: ['notifications.readAll'],
  examples: ['hubline notification read-all'],
  view: unreadView,
  say: ({ unread }, style) => `${style.green('✓')} Unread: ${unread}`,
  async run(ctx) {
    const client = await ctx.client();
    return client.notifications.readAll({}, ctx.request);
  },
});

export const commands = [list, tail, count, read, readAll] as const;
