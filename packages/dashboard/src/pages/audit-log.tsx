import { Page } from '../components/page.tsx';

export function AuditLogPage() {
  return <Page title="Audit log">{null}</Page>;
}
