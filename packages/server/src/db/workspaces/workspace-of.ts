import { type IdBytes, idBytes } from '../core/columns/columns.ts';
import type { Awaitable } from '../core/awaitable.ts';
import { preparedRow } from '../core/queries/prepared-query.ts';
import type { Db } from '../core/schema.ts';

interface Named {
  id: string;
}
interface Owned {
  workspace_id: string;
}

const webhook = preparedRow<Named, Owned>((db, p) =>
  db.selectFrom('webhooks').select('workspace_id').where('id', '=', p('id')),
);
const integration = preparedRow<Named, Owned>((db, p) =>
  db.selectFrom('integrations').select('workspace_id').where('id', '=', p('id')),
);
const delivery = preparedRow<{ id: IdBytes }, Owned>((db, p) =>
  db
    .selectFrom('deliveries')
    .innerJoin('workspaces', 'workspaces.seq', 'deliveries.workspace')
    .select('workspaces.id as workspace_id')
    .where('deliveries.id', '=', p('id')),
);
const recovery = preparedRow<Named, Owned>((db, p) =>
  db.selectFrom('recoveries').select('workspace_id').where('id', '=', p('id')),
);

const OF: Record<
  'webhook' | 'integration' | 'delivery' | 'recovery',
  (db: Db, named: Named) => Awaitable<Owned | undefined>
> = {
  webhook,
  integration,
  delivery: (db, { id }) => delivery(db, { id: idBytes(id) }),
  recovery,
};

/** Kinds that a path can name without their workspace. */
export type OwnedKind = keyof typeof OF;

/** Finds the workspace that something belongs to. The caller's access is checked next. */
export async function findWorkspaceOf(db: Db, kind: OwnedKind, id: string): Promise<string | undefined> {
  return (await OF[kind](db, { id }))?.workspace_id;
}
