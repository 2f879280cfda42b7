/** The associated data with which the secret of an automation is sealed. */
export const automationSecretContext = (automationId: string): string => `automation:${automationId}:secret`;
