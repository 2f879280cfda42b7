import { openStore } from '../../delivery/support.ts';
import type { TestWorkspace } from './workspace.ts';

/**
 * Makes the stored credentials of an integration unreadable, as a damaged disk would. Returns a function that repairs
 * them.
 */
export function damageCredentials(
  workspace: TestWorkspace,
  integrationId: string,
): Promise<() => Promise<unknown>> {
  return openStore(workspace).write(async (tx) => {
    const { credentials } = await tx
      .selectFrom('integrations')
      .select('credentials')
      .where('id', '=', integrationId)
      .executeTakeFirstOrThrow();
    const [version, nonce, sealed = ''] = credentials.split('.');
    const flipped = `${version}.${nonce}.${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}`;
    await tx
      .updateTable('integrations')
      .set({ credentials: flipped })
      .where('id', '=', integrationId)
      .execute();
    return () =>
      openStore(workspace).write((again) =>
        again.updateTable('integrations').set({ credentials }).where('id', '=', integrationId).execute(),
      );
  });
}
