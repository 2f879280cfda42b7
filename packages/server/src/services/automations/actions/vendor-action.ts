import { renderTemplate } from '../../../domain/templates/template.ts';
import { applyFinding } from '../../integrations/status.ts';
import type { Action, ActionKind } from './action.ts';
import { inTool, refused } from './in-tool.ts';

type VendorAction = Extract<Action, { input: object }>;

interface Request {
  integration_id: string;
  input: Record<string, string>;
}

/** Performs an action that a provider offers, such as opening an issue. */
export const vendorAction: ActionKind<VendorAction, Request> = {
  render({ type, integration_id, input }, { values, providers }) {
    const escaping = [...providers.values()].find(({ actions }) => actions?.[type])?.actions?.[type]
      ?.escaping;
    const rendered: Record<string, string> = {};
    for (const [name, value] of Object.entries(input)) {
      const texts: string[] = [];
      for (const template of [value].flat()) {
        const text = renderTemplate(String(template), values, escaping?.[name]);
        if (!text.ok) return { ok: false, error: `input.${name}: ${text.error}` };
        texts.push(text.text);
      }
      rendered[name] = texts.join(', ');
    }
    return { ok: true, request: { integration_id, input: rendered } };
  },

  perform: ({ integration_id, input }, step, { type }) =>
    inTool(step, integration_id, async ({ row, provider, connection, tools }) => {
      const action = provider.actions?.[type];
      if (!action) return refused(`${provider.name} does not offer ${type}`);
      for (const [name, { required }] of Object.entries(action.inputs)) {
        if (required && (input[name] ?? '').trim() === '') return refused(`input.${name} is empty`);
      }
      const result = await action.run(connection, input, { tools, key: step.key, again: step.again });
      if (result.ok) return { ok: true, response: result.output, output: result.output };
      const { error: reason, refused: what } = result;
      const failure = refused(reason);
      if (what === undefined) return failure;
      const finding = { kind: 'refused', what, reason } as const;
      return { ...failure, commit: async (tx) => void (await applyFinding(tx, step.work, { row, finding })) };
    }),
};
