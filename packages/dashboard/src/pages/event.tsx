import { Page } from '../components/page.tsx';

export function EventPage() {
  return <Page title="Event">{null}</Page>;
}
