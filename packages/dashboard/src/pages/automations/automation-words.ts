import { textOf, type Values } from '../../components/schema/spec.ts';

/** `pull_request happens, from github`: the end of a sentence that begins with When. */
export function triggerWords({ event, types, sources, cron, timezone }: Values): string {
  const names = (value: unknown) => (value as readonly string[]).join(' or ');
  switch (event) {
    case 'event.created':
      return `${types ? names(types) : 'any event'} happens${sources ? `, from ${names(sources)}` : ''}`;
    case 'schedule':
      return `it is ${textOf(cron)}, ${textOf(timezone ?? 'UTC')}`;
    case 'integration.connected':
      return 'an integration is connected';
    case 'user.invited':
      return 'somebody is invited';
    default:
      return 'somebody starts it';
  }
}
