import type { Context } from '../context.ts';
import type { ConnectionInfo } from '../views/connection.ts';
import { connectionInfo, savedConnection } from './saved-connections.ts';

/** Makes a saved connection the current one. */
export async function useConnection(ctx: Context, name: string): Promise<ConnectionInfo> {
  const config = await ctx.config();
  savedConnection(config, name);
  const changed = { ...config, current: name };
  await ctx.saveConfig(changed);
  return connectionInfo(changed, name);
}
