/** The place of the secret of an automation in the vault. */
export const automationSecretContext = (automationId: string): string => `automation:${automationId}:secret`;
