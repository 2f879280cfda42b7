import { hotRow } from './hot.ts';
import type { Db } from './schema.ts';

interface Named {
  id: string;
}
interface Owned {
  workspace_id: string;
}

const webhook = hotRow<Named, Owned>((db, p) =>
  db.selectFrom('webhooks').select('workspace_id').where('id', '=', p('id')),
);
const integration = hotRow<Named, Owned>((db, p) =>
  db.selectFrom('integrations').select('workspace_id').where('id', '=', p('id')),
);
const delivery = hotRow<Named, Owned>((db, p) =>
  db.selectFrom('deliveries').select('workspace_id').where('id', '=', p('id')),
);
const recovery = hotRow<Named, Owned>((db, p) =>
  db.selectFrom('recoveries').select('workspace_id').where('id', '=', p('id')),
);

const OF = { webhook, integration, delivery, recovery };

/** What a path can name without its workspace. */
export type OwnedKind = keyof typeof OF;

/** The workspace that something belongs to. Whether the caller may know of it is decided next. */
export async function findWorkspaceOf(db: Db, kind: OwnedKind, id: string): Promise<string | undefined> {
  return (await OF[kind](db, { id }))?.workspace_id;
}
