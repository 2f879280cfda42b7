import { allMembers } from '../../client/all-members.ts';
import { cancelled } from '../../errors.ts';
import { readPeople } from '../../input/read-people.ts';
import { define } from '../../spec/command.ts';
import { memberChangeLine, memberChangeView } from '../../views/member-change.ts';
import { applyChanges } from './apply-changes.ts';
import { planMembers } from './plan-members.ts';

export const command = define({
  path: 'member import',
  summary:
    'Make the members those of a file: invite who is missing, change roles, with --prune remove the others.',
  description:
    'CSV with a header (email, role) or one JSON document per line, as member export writes them. One result for each; exit code 10 if some failed. Owners are left alone. --dry-run shows what would become of each line.',
  endpoints: ['members.list', 'members.invite', 'members.update', 'members.remove'],
  args: { file: { summary: 'The file; - for stdin' } },
  flags: {
    diff: { type: 'boolean', summary: 'Show only what differs, and do nothing' },
    prune: { type: 'boolean', summary: 'Remove members who are not in the file; asks, or needs --yes' },
  },
  examples: [
    'hubline member import people.csv --diff',
    'hubline member import people.csv --prune --yes --ndjson',
  ],
  view: memberChangeView,
  say: memberChangeLine,
  async run(ctx, { args, flags }) {
    const people = await readPeople(ctx, args.file, 'The file');
    const workspace = await ctx.workspace();
    const planned = planMembers(people, await allMembers(ctx, workspace), {
      update: true,
      prune: flags.prune,
    });
    const changes = flags.diff ? planned.filter(({ change }) => change !== 'none') : planned;
    const removed = changes.filter(({ change }) => change === 'remove').length;
    const dryRun = ctx.globals.dryRun || flags.diff;
    if (removed > 0 && !dryRun && !ctx.globals.yes) {
      const question = `Remove ${removed} member${removed === 1 ? '' : 's'} who ${removed === 1 ? 'is' : 'are'} not in the file?`;
      const confirmed = await (await ctx.prompt('--yes')).confirm(question);
      if (!confirmed) throw cancelled();
    }
    return applyChanges(ctx, changes, { workspace, dryRun });
  },
});
