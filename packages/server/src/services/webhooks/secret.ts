/** The associated data with which the secrets of a webhook are sealed. */
export const webhookSecretContext = (webhookId: string, field: 'secret' | 'previous_secret'): string =>
  `webhook:${webhookId}:${field}`;
