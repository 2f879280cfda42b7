import { LIMITS, type NotificationTrigger } from '@hubline/contract';

const DAY_MS = 24 * 60 * 60_000;

/** The text of a notification, where a rule names no template. */
interface DefaultTemplate {
  subject: string;
  text: string;
}

const event = '{{ event.summary.text | default: event.type }}';
/** The name, and the plain value in parentheses; the plain value alone if there is no name. */
const named = (name: string, plain: string): string =>
  `{% if data.${name} %}{{ data.${name} }} ({{ data.${plain} }}){% else %}{{ data.${plain} }}{% endif %}`;
const webhook = named('webhook_name', 'webhook_host');
const integration = named('integration_name', 'integration_type');
const link = '{% if event.summary.subject.url %}\n{{ event.summary.subject.url }}{% endif %}';

/** One for each trigger. They are templates like those that members write. */
export const DEFAULT_TEMPLATES = {
  'event.created': {
    subject: `{% if event.summary.severity != "none" %}[{{ event.summary.severity }}] {% endif %}${event}`,
    text: `${event} ({{ event.source }})${link}`,
  },
  'automation.completed': {
    subject: '{{ data.automation_name }}: {{ data.status }}',
    text: 'The automation {{ data.automation_name }} {% if data.status == "cancelled" %}was{% else %}has{% endif %} {{ data.status }}.',
  },
  'integration.connected': {
    subject: `${integration} is connected`,
    text: `The integration ${integration} is connected to {{ workspace.name }}.`,
  },
  'user.invited': {
    subject: '{{ data.email }} is invited',
    text: '{{ data.email }} is invited to {{ workspace.name }} as {{ data.role }}.',
  },
  'webhook.failing': {
    subject: `The webhook ${webhook} is failing`,
    text:
      `Every attempt to ${webhook} has failed since {{ data.failing_since | date: "%a %-d %b, %H:%M" }} UTC. ` +
      `Its deliveries are retried; after ${LIMITS.failingMaxMs / DAY_MS} days without success the webhook is disabled.`,
  },
  'webhook.disabled': {
    subject: `The webhook ${webhook} was disabled`,
    text:
      `The webhook ${webhook} was disabled. {{ data.message }}\n\n` +
      'Nothing is lost: its deliveries are held until it is enabled again. Enable it in the dashboard, or with\n\n' +
      '  hubline webhook {% if data.reason == "secret_unreadable" %}rotate-secret{% else %}enable{% endif %} {{ data.webhook_id }}',
  },
  'integration.error': {
    subject: `The integration ${integration} has a problem`,
    text: '{{ data.message }}',
  },
  'automation.disabled': {
    subject: 'The automation {{ data.automation_name }} was disabled',
    text: '{{ data.message }} Enable it again in the dashboard, or with\n\n  hubline automation enable {{ data.automation_id }}',
  },
} satisfies Record<NotificationTrigger, DefaultTemplate>;
