import type { Fact, Rule } from './rule.ts';
import { refusedBy } from './rule.ts';

/** Rules by what they choose, so that an event does not meet ten thousand rules that are about others. */
export interface RuleIndex {
  /** The rules that match, in no particular order. */
  matching(fact: Fact): Rule[];
}

/** Each rule is filed under the narrowest of its choices: its types, else its sources, else its severities, else nothing. */
export function indexRules(rules: readonly Rule[]): RuleIndex {
  const filed = new Map<string, Rule[]>();
  const file = (key: string, rule: Rule): void => {
    const under = filed.get(key);
    if (under) under.push(rule);
    else filed.set(key, [rule]);
  };
  for (const rule of rules) {
    for (const trigger of rule.notify_on) {
      const severity = trigger === 'event.created' ? rule.filters?.severity : undefined;
      if (rule.types) for (const type of new Set(rule.types)) file(`${trigger} type ${type}`, rule);
      else if (rule.sources)
        for (const source of new Set(rule.sources)) file(`${trigger} source ${source}`, rule);
      else if (severity) for (const one of severity) file(`${trigger} severity ${one}`, rule);
      else file(trigger, rule);
    }
  }
  return {
    matching: (fact) =>
      [
        fact.trigger,
        `${fact.trigger} type ${fact.type ?? ''}`,
        `${fact.trigger} source ${fact.source ?? ''}`,
        `${fact.trigger} severity ${fact.severity ?? ''}`,
      ].flatMap((key) => filed.get(key)?.filter((rule) => refusedBy(rule, fact) === null) ?? []),
  };
}
