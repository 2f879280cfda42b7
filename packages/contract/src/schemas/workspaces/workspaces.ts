import { z } from 'zod';
import { PLANS } from '../../constants/statuses.ts';
import { displayName, slug, timestamp } from '../../text.ts';

const plan = z.enum(PLANS).meta({ id: 'Plan', description: 'Billing plan.' });

/** Specification, "Workspace". */
export const Workspace = z
  .object({
    id: z.string().describe('`ws_` and 26 characters.'),
    name: z.string().describe('Display name, 1 to 100 characters.'),
    slug: z.string().describe('Globally unique, `^[a-z0-9-]+$`, 2 to 50 characters.'),
    plan: plan.describe('Billing plan of the workspace.'),
    created_at: timestamp.describe('Creation time.'),
    updated_at: timestamp.describe('Time of the last change.'),
  })
  .describe('The top-level container of a team.')
  .meta({ id: 'Workspace' });

/** Body of `POST /workspaces`. */
export const WorkspaceCreate = z
  .strictObject({
    name: displayName.describe('Display name, 1 to 100 characters.'),
    slug: slug.describe('Globally unique, `^[a-z0-9-]+$`, 2 to 50 characters.'),
    plan: plan.default('free').describe('Billing plan. Default `free`.'),
  })
  .describe('A workspace to create.')
  .meta({ id: 'WorkspaceCreate' });

/** Body of `PATCH /workspaces/{id}`. */
export const WorkspaceUpdate = z
  .strictObject({
    name: displayName.optional().describe('New display name.'),
    slug: slug.optional().describe('New slug; must stay globally unique.'),
    plan: plan.optional().describe('New plan; owners only. May change the bill.'),
  })
  .describe('Changes to a workspace.')
  .meta({ id: 'WorkspaceUpdate' });
