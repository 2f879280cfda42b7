import { Page } from '../components/page.tsx';

export function WebhookPage() {
  return <Page title="Webhook">{null}</Page>;
}
