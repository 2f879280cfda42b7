import { Page } from '../components/page.tsx';

export function DeliveriesPage() {
  return <Page title="Deliveries">{null}</Page>;
}
