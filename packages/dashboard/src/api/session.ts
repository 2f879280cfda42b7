import type { Me } from '@hubline/sdk';
import { signal } from '@preact/signals';

/** `unknown` until the server has said who this is; `null` when it is nobody. */
export const session = signal<Me | null | 'unknown'>('unknown');

/** Called for every 401: the session has expired, or was ended elsewhere. */
export function sessionEnded(): void {
  session.value = null;
}
