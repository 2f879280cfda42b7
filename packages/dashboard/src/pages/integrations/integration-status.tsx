import type { IntegrationSummary } from '@hubline/sdk';
import { StatusBadge } from '../../components/text/status-badge.tsx';

interface IntegrationStatusProps {
  readonly integration: Pick<IntegrationSummary, 'status' | 'status_detail'>;
}

/** The status, in green only when nothing is left to do; what is left, in words. */
export function IntegrationStatus({
  integration: { status, status_detail: detail },
}: IntegrationStatusProps) {
  if (!detail) return <StatusBadge status={status} />;
  const tone = status === 'connected' ? { tone: 'warn' as const } : {};
  return (
    <span class="badges" title={detail.message}>
      <StatusBadge status={status} {...tone} />
      <span class="muted">{detail.code.replaceAll('_', ' ')}</span>
    </span>
  );
}
