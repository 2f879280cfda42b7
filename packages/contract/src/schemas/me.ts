import { z } from 'zod';
import { timestamp } from '../text.ts';
import { ApiKey } from './api-keys.ts';
import { role } from './common.ts';

/** Response of `GET /me`. */
export const Me = z
  .object({
    user: z
      .object({
        id: z.string().describe('`usr_` and 26 characters.'),
        email: z.string().describe('E-mail address, lower case.'),
        created_at: timestamp.describe('When the user was first known here.'),
      })
      .describe('The user behind the key.'),
    key: ApiKey.describe('The key of this request.'),
    memberships: z
      .array(
        z.object({
          workspace_id: z.string().describe('`ws_` and 26 characters.'),
          name: z.string().describe('Display name of the workspace.'),
          slug: z.string().describe('Slug of the workspace.'),
          role: role.describe('The role of the user, lowered to the cap of the key.'),
        }),
      )
      .describe('The workspaces that this key can see.'),
  })
  .describe('Who is calling, and what they can reach.')
  .meta({ id: 'Me' });
