import {
  type EventCreatedData,
  signTestWebhook,
  type UnknownWebhookEvent,
  type UnknownWebhookTrigger,
  unwrap,
  type UserInvitedData,
  type WebhookEvent,
  type WebhookTrigger,
} from '../index.ts';

// Compiled by tsc, never run: an assertion that does not hold is a type error.
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function assertType<_Holds extends true>(): void {}

export function comparingTheTypeNarrowsTheData(event: WebhookEvent): void {
  if (event.type === 'event.created') assertType<Equal<typeof event.data, EventCreatedData>>();
  if (event.type === 'user.invited') assertType<Equal<typeof event.data, UserInvitedData>>();
  // @ts-expect-error a misspelled type is not one of the known ones
  if (event.type === 'event.create') return;
}

export function namesOfALaterVersionCompile(event: WebhookEvent): void {
  if (event.type === 'workspace.deleted') assertType<Equal<typeof event, UnknownWebhookEvent>>();
  if (event.type === 'user.removed' || event.type === 'integration.disconnected')
    event.data satisfies Record<string, unknown>;
  const name: string = event.type;
  if (name === 'build.created') return;
  // A known name among them would no longer narrow `data`.
  assertType<Equal<Extract<WebhookTrigger, UnknownWebhookTrigger>, never>>();
}

export function whatRemainsIsTheUnknownArm(event: WebhookEvent): string {
  switch (event.type) {
    case 'event.created':
    case 'automation.completed':
    case 'integration.connected':
    case 'user.invited':
    case 'webhook.failing':
    case 'webhook.disabled':
    case 'integration.error':
    case 'automation.disabled':
    case 'notification.sent':
      return event.data.constructor.name;
    default:
      assertType<Equal<typeof event, UnknownWebhookEvent>>();
      return event.type;
  }
}

export async function optionsAreChecked(body: string): Promise<void> {
  const headers = {};
  await unwrap({ body, headers }, { secret: process.env['SECRET'] });
  await unwrap({ body, headers }, { secrets: ['a', 'b'] });
  // @ts-expect-error one of the two is needed
  await unwrap({ body, headers }, {});
  // @ts-expect-error not both
  await unwrap({ body, headers }, { secret: 'a', secrets: ['b'] });
  // @ts-expect-error a parsed body
  await unwrap({ body: { id: 'dlv_01' }, headers }, { secret: 'a' });
  await signTestWebhook({ secret: 'a', type: 'user.invited', data: { role: 'admin' } });
  // @ts-expect-error a field that the type does not have
  await signTestWebhook({ secret: 'a', type: 'user.invited', data: { rank: 'admin' } });
  await signTestWebhook({ secret: 'a', type: 'something.new', data: { rank: 'admin' } });
}
