import { Page } from '../components/page.tsx';

export function ApiKeysPage() {
  return <Page title="API keys">{null}</Page>;
}
