import { STATS_WINDOWS } from '@hubline/contract';
import type { StatsGroupRow } from '../../db/workspaces/stats-groups.ts';
import { bucketOf, STATS_WINDOW_NAMES } from '../../domain/stats/stats-window.ts';

// Invented sources must fill neither memory nor tables: more groups of one workspace or webhook in a minute are counted together.
const NAMES_MAX = 30;
const MINUTE_MS = 60_000;

/** A group to count in: the events of a source, or the failed attempts of a webhook with one cause. */
interface Named {
  workspaceId: string;
  /** Empty for a group of the workspace. */
  webhookId: string;
  name: string;
  message: string | null;
}

interface Group {
  count: number;
  first: number;
  last: number;
  message: string | null;
}

/** The groups of a workspace or webhook in a minute, by their names. */
interface Owned extends Pick<Named, 'workspaceId' | 'webhookId'> {
  minute: number;
  groups: Map<string, Group>;
}

/** Counts by name in memory, until the counts are stored. */
export class GroupCounter {
  /** By the minute and the id of the webhook or workspace. */
  #minutes = new Map<number, Map<string, Owned>>();
  readonly #rows = new Map<string, StatsGroupRow>();

  count({ workspaceId, webhookId, name, message }: Named, at: number): void {
    const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS;
    let owners = this.#minutes.get(minute);
    if (!owners) this.#minutes.set(minute, (owners = new Map()));
    const owner = webhookId || workspaceId;
    let owned = owners.get(owner);
    if (!owned) owners.set(owner, (owned = { workspaceId, webhookId, minute, groups: new Map() }));
    const group = owned.groups.get(name);
    if (group) {
      group.count += 1;
      group.last = at;
      group.message = message;
    } else if (owned.groups.size < NAMES_MAX) {
      owned.groups.set(name, { count: 1, first: at, last: at, message });
    }
  }

  /** The rows to add to those that are stored, in one order; each until it is taken off. */
  rows(): StatsGroupRow[] {
    const minutes = this.#minutes;
    this.#minutes = new Map();
    for (const owners of minutes.values())
      for (const owned of owners.values())
        for (const [name, group] of owned.groups) this.#roll(owned, name, group);
    return [...this.#rows.keys()].sort().flatMap((key) => this.#rows.get(key) ?? []);
  }

  /** Takes off rows that were stored. */
  stored(rows: readonly StatsGroupRow[]): void {
    for (const row of rows) this.#rows.delete(keyOf(row));
  }

  #roll({ workspaceId, webhookId, minute }: Owned, name: string, group: Group): void {
    for (const window of STATS_WINDOW_NAMES) {
      const { bucketSeconds: resolution } = STATS_WINDOWS[window];
      const row: StatsGroupRow = {
        resolution,
        at: bucketOf(resolution, minute),
        workspace_id: workspaceId,
        webhook_id: webhookId,
        name,
        count: group.count,
        first_at: new Date(group.first).toISOString(),
        last_at: new Date(group.last).toISOString(),
        message: group.message,
      };
      const before = this.#rows.get(keyOf(row));
      if (before) Object.assign(row, { count: before.count + row.count, first_at: before.first_at });
      this.#rows.set(keyOf(row), row);
    }
  }
}

const keyOf = ({ resolution, at, workspace_id, webhook_id, name }: StatsGroupRow): string =>
  `${resolution} ${at} ${workspace_id} ${webhook_id} ${name}`;
