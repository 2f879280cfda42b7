import type { Context } from '../context.ts';
import { resolveWorkspace } from './resolve-workspace.ts';

/** The workspace named by the argument of a command, else the one to act in. */
export function targetWorkspace(ctx: Context, reference: string | undefined): Promise<string> {
  return reference === undefined ? ctx.workspace() : resolveWorkspace(ctx, reference);
}
