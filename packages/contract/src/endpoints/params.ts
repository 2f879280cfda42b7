/** Parameters that rows of several resources share. */
import { z } from 'zod';
import { id, pageQuery } from '../schemas/common.ts';

export const workspaceParams = z.object({ id: id('workspace') });
export const integrationParams = z.object({ integrationId: id('integration') });
export const webhookParams = z.object({ webhookId: id('webhook') });
export const pageOnly = z.object(pageQuery);
