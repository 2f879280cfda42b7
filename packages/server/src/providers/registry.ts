import { custom } from './custom/custom.ts';
import { discord } from './discord/discord.ts';
import { github } from './github/github.ts';
import { gitlab } from './gitlab/gitlab.ts';
import { jira } from './jira/jira.ts';
import { linear } from './linear/linear.ts';
import { notion } from './notion/notion.ts';
import { slack } from './slack/slack.ts';
import { teams } from './teams/teams.ts';
import type { Provider } from './provider.ts';

/** The built-in providers, by key, in the order in which they are listed. */
export const providers: ReadonlyMap<string, Provider> = new Map(
  [slack, discord, teams, github, gitlab, linear, jira, notion, custom].map((provider) => [
    provider.key,
    provider,
  ]),
);
