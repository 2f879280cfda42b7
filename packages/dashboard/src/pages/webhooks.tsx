import { Page } from '../components/page.tsx';

export function WebhooksPage() {
  return <Page title="Webhooks">{null}</Page>;
}
