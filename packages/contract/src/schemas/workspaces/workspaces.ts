import { z } from 'zod';
import { LIMITS } from '../../constants/limits.ts';
import { PLANS, SLUG_PATTERN } from '../../constants/statuses.ts';
import { displayName, slug, timestamp } from '../../text.ts';

const NAME = `Display name, 1 to ${LIMITS.nameMax} characters.`;
const SLUG = `Globally unique, \`${SLUG_PATTERN}\`, ${LIMITS.slugMin} to ${LIMITS.slugMax} characters.`;
const plan = z.enum(PLANS).meta({ id: 'Plan', description: 'Billing plan.' });

/** Specification, "Workspace". */
export const Workspace = z
  .object({
    id: z.string().describe('`ws_` and 26 characters.'),
    name: z.string().describe(NAME),
    slug: z.string().describe(SLUG),
    plan: plan.describe('Billing plan of the workspace.'),
    created_at: timestamp.describe('Creation time.'),
    updated_at: timestamp.describe('Time of the last change.'),
  })
  .describe('The top-level container of a team.')
  .meta({ id: 'Workspace' });

/** Body of `POST /workspaces`. */
export const WorkspaceCreate = z
  .strictObject({
    name: displayName.describe(NAME),
    slug: slug.describe(SLUG),
    plan: plan.default('free').describe('Billing plan. Default `free`.'),
  })
  .describe('A workspace to create.')
  .meta({ id: 'WorkspaceCreate' });

/** Body of `PATCH /workspaces/{id}`. */
export const WorkspaceUpdate = z
  .strictObject({
    name: displayName.optional().describe('New display name.'),
    slug: slug.optional().describe('New slug; must stay globally unique.'),
    plan: plan.optional().describe('New plan; owners only.'),
  })
  .describe('Changes to a workspace.')
  .meta({ id: 'WorkspaceUpdate' });
