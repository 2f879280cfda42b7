import { z } from 'zod';
import type { Endpoint } from '../endpoint.ts';
import { page } from '../schemas/common.ts';
import { statsQuery } from '../schemas/workspaces/stats.ts';
import { WorkspaceHealth } from '../schemas/workspaces/workspace-health.ts';
import { WorkspaceStats } from '../schemas/workspaces/workspace-stats.ts';
import { Workspace, WorkspaceCreate, WorkspaceUpdate } from '../schemas/workspaces/workspaces.ts';
import { from, inWorkspace } from './access.ts';
import { pageOnly, workspaceParams } from './params.ts';

export const workspaceEndpoints = {
  'workspaces.list': {
    operationId: 'listWorkspaces',
    method: 'GET',
    path: '/workspaces',
    summary: 'List workspaces.',
    description:
      'Lists the workspaces that the key sees: the one that it is bound to or, for a personal key, those where its user may manage keys.',
    access: { kind: 'user', scope: 'workspaces:read' },
    query: pageOnly,
    response: page(Workspace),
    status: 200,
    write: false,
  },
  'workspaces.create': {
    operationId: 'createWorkspace',
    method: 'POST',
    path: '/workspaces',
    summary: 'Create a workspace.',
    description: 'Creates a workspace, on the plan `free` by default. The caller becomes its owner.',
    errors: {
      conflict: 'The slug is taken.',
    },
    access: { kind: 'user', scope: 'workspaces:write', personal: true },
    body: WorkspaceCreate,
    response: Workspace,
    status: 201,
    write: true,
  },
  'workspaces.get': {
    operationId: 'getWorkspace',
    method: 'GET',
    path: '/workspaces/{id}',
    summary: 'Read a workspace.',
    description: 'Returns the name, slug and plan of one workspace.',
    access: inWorkspace(from.path, 'view', 'workspaces:read'),
    params: workspaceParams,
    response: Workspace,
    status: 200,
    write: false,
  },
  'workspaces.update': {
    operationId: 'updateWorkspace',
    method: 'PATCH',
    path: '/workspaces/{id}',
    summary: 'Update a workspace.',
    description: 'Changes the fields in the body and keeps the others. Only an owner can set `plan`.',
    errors: {
      conflict: 'The slug is taken.',
      forbidden: 'The body names `plan`, and the caller is not an owner.',
    },
    access: inWorkspace(from.path, 'manage_workspace', 'workspaces:write'),
    params: workspaceParams,
    body: WorkspaceUpdate,
    response: Workspace,
    status: 200,
    write: true,
  },
  'workspaces.delete': {
    operationId: 'deleteWorkspace',
    method: 'DELETE',
    path: '/workspaces/{id}',
    summary: 'Delete a workspace.',
    description:
      'Deletes the workspace with its members, keys, integrations, events and webhooks, at once and for good.',
    access: inWorkspace(from.path, 'delete_workspace', 'workspaces:write'),
    params: workspaceParams,
    status: 204,
    write: true,
  },
  'workspaces.stats': {
    operationId: 'getWorkspaceStats',
    method: 'GET',
    path: '/workspaces/{id}/stats',
    summary: 'Read the statistics of a workspace.',
    description:
      'Counts the events, attempts and deliveries of the last hour, day or week, with success rate, latencies, a series for charts, and failed attempts by webhook and cause. The figures are current.',
    access: inWorkspace(from.path, 'view', 'events:read'),
    params: workspaceParams,
    query: z.object(statsQuery),
    response: WorkspaceStats,
    status: 200,
    write: false,
  },
  'workspaces.health': {
    operationId: 'getWorkspaceHealth',
    method: 'GET',
    path: '/workspaces/{id}/health',
    summary: 'Read the health of the server.',
    description:
      'Returns the version, the state of the database and the open deliveries of the workspace. The operator of the server, the user created when it was set up, also gets the size of the database, disk space, memory, background jobs, backups and the certificate.',
    access: inWorkspace(from.path, 'manage_workspace', 'workspaces:read'),
    params: workspaceParams,
    response: WorkspaceHealth,
    status: 200,
    write: false,
  },
} as const satisfies Record<string, Endpoint>;
