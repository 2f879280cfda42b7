import { Page } from '../components/page.tsx';

export function IntegrationPage() {
  return <Page title="Integration">{null}</Page>;
}
