import type { NotificationTrigger } from '@hubline/contract';
import type { Deps } from '../../../context.ts';
import { findTemplate, type TemplateRow } from '../../../db/notifications/templates.ts';
import {
  defaultTemplate,
  renderContent,
  type RenderedContent,
  type TemplateContent,
} from '../../../domain/notifications/content.ts';
import type { Rule } from '../../../domain/notifications/rule.ts';
import type { TemplateScope } from '../../../domain/templates/template.ts';

/** The parts of a stored template that are rendered. */
export const contentOf = ({ subject, body }: Pick<TemplateRow, 'subject' | 'body'>): TemplateContent => ({
  subject,
  body: JSON.parse(body),
});

interface RuleAndScope {
  workspaceId: string;
  rule: Pick<Rule, 'template_id'>;
  trigger: NotificationTrigger;
  scope: TemplateScope;
}

/** Renders the message of a rule. `note` names the first form that could not be rendered. */
export async function renderRule(
  { store }: Pick<Deps, 'store'>,
  { workspaceId, rule, trigger, scope }: RuleAndScope,
): Promise<RenderedContent & { note: string | null }> {
  const { template_id: id } = rule;
  const row = id === null ? undefined : await findTemplate(store.read, workspaceId, { id });
  const rendered = renderContent(row ? contentOf(row) : defaultTemplate(trigger), trigger, scope);
  const [problem] = rendered.problems;
  return {
    ...rendered,
    note: problem ? `the template's ${problem.field} was left out: ${problem.issue}` : null,
  };
}
