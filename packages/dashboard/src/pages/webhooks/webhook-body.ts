import type { Subscription, WebhookFilters } from '@hubline/sdk';
import type { FormFields } from '../../components/fields/form.tsx';

/** The contents of `WebhookFields`, as the API takes them. Filters that the form does not have stay: conditions. */
export function webhookBody(fields: FormFields, stored?: WebhookFilters | null) {
  const { event_types: _types, sources: _sources, resource_ids: _ids, ...others } = stored ?? {};
  const filters: WebhookFilters = {
    ...others,
    ...Object.fromEntries(
      ['event_types', 'sources', 'resource_ids']
        .map((name) => [name, lines(fields.raw(name))] as const)
        .filter(([, items]) => items.length > 0),
    ),
  };
  const perSecond = fields.text('per_second');
  return {
    url: fields.text('url'),
    // The server refuses names that it does not know.
    events: fields.all('events') as Subscription[],
    filters: Object.keys(filters).length > 0 ? filters : null,
    name: fields.text('name') || null,
    // A text that is not a number becomes 0, which the server refuses with the rule.
    rate_limit: perSecond === '' ? null : { per_second: /^\d+$/.test(perSecond) ? Number(perSecond) : 0 },
  };
}

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
