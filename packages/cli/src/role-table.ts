/**
 * The role table of the contract, for `hubline member permissions`. The CLI takes only types from the contract, because loading
 * its schemas would cost every command more than the command itself; a test holds the two tables equal.
 */
export const PERMISSIONS = {
  manage_billing: ['owner'],
  delete_workspace: ['owner'],
  manage_integrations: ['owner', 'admin'],
  manage_members: ['owner', 'admin'],
  manage_api_keys: ['owner', 'admin'],
  edit_automations: ['owner', 'admin', 'member'],
  view: ['owner', 'admin', 'member', 'viewer'],
  receive_notifications: ['owner', 'admin', 'member', 'viewer'],
  manage_workspace: ['owner', 'admin'],
  manage_webhooks: ['owner', 'admin'],
  view_audit_log: ['owner', 'admin'],
  publish_events: ['owner', 'admin', 'member'],
} as const;
