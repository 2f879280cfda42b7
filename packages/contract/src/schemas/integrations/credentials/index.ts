import { z } from 'zod';
import { CustomRules } from './custom.ts';
import { DiscordApp, DiscordWebhook } from './discord.ts';
import { GithubToken } from './github.ts';
import { GitlabSigned, GitlabToken } from './gitlab.ts';
import { JiraApiToken, JiraApp } from './jira.ts';
import { LinearApiKey } from './linear.ts';
import { NotionToken } from './notion.ts';
import { SlackApp, SlackWebhook } from './slack.ts';
import { TeamsOutgoingWebhook, TeamsWorkflow } from './teams.ts';

/**
 * The credentials of every provider, by provider key and method. A method is a way to connect the provider; the first is
 * the usual one. The `title` of a schema is the name of its method.
 */
export const CREDENTIALS = {
  slack: { app: SlackApp, webhook: SlackWebhook },
  discord: { webhook: DiscordWebhook, application: DiscordApp },
  teams: { workflow: TeamsWorkflow, outgoing_webhook: TeamsOutgoingWebhook },
  github: { token: GithubToken },
  gitlab: { token: GitlabToken, signed: GitlabSigned },
  linear: { api_key: LinearApiKey },
  jira: { api_key: JiraApiToken, app: JiraApp },
  notion: { token: NotionToken },
  custom: { webhook: CustomRules },
} as const;

/** The key of a provider that this version knows. */
export type ProviderKey = keyof typeof CREDENTIALS;

/** Applies a function to the credentials of each provider, for a union. */
export function byProvider<Made>(
  make: (key: ProviderKey, credentials: z.ZodType) => Made,
): [Made, ...Made[]] {
  const made = Object.entries(CREDENTIALS).map(([key, methods]) => {
    const [first, ...others] = Object.values(methods) as [z.ZodType, ...z.ZodType[]];
    return make(key as ProviderKey, others.length === 0 ? first : z.union([first, ...others]));
  });
  return made as [Made, ...Made[]];
}
