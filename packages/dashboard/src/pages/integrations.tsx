import { Page } from '../components/page.tsx';

export function IntegrationsPage() {
  return <Page title="Integrations">{null}</Page>;
}
