import {
  discordApplication,
  discordWebhook,
  slackApp,
  slackWebhook,
  teamsOutgoingWebhook,
  teamsWorkflow,
} from './chat-tools.ts';
import { githubToken, gitlabSigned, gitlabToken } from './code-hosts.ts';
import { customWebhook } from './custom.ts';
import type { Tool } from './tool.ts';
import { jiraApiToken, jiraApp, linearApiKey, notionToken } from './trackers.ts';

/** Every way to connect a tool: provider and method, as the catalog of providers has them. */
export const TOOLS: Readonly<Record<string, Tool>> = {
  'slack app': slackApp,
  'slack webhook': slackWebhook,
  'discord application': discordApplication,
  'discord webhook': discordWebhook,
  'teams outgoing_webhook': teamsOutgoingWebhook,
  'teams workflow': teamsWorkflow,
  'github token': githubToken,
  'gitlab token': gitlabToken,
  'gitlab signed': gitlabSigned,
  'linear api_key': linearApiKey,
  'jira api_key': jiraApiToken,
  'jira app': jiraApp,
  'notion token': notionToken,
  'custom webhook': customWebhook,
};
