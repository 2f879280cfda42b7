import type { IntegrationSummary } from '@hubline/sdk';
import { Status } from '../../components/text/status.tsx';

interface IntegrationStatusProps {
  readonly integration: Pick<IntegrationSummary, 'status' | 'status_detail'>;
}

/** The status, in green only when nothing is left to do; otherwise the reason is beside it. */
export function IntegrationStatus({
  integration: { status, status_detail: detail },
}: IntegrationStatusProps) {
  if (!detail) return <Status status={status} />;
  const tone = status === 'connected' ? { tone: 'warn' as const } : {};
  return (
    <span class="line wrapf" title={detail.message}>
      <Status status={status} {...tone} />
      <span class="faint">{detail.code.replaceAll('_', ' ')}</span>
    </span>
  );
}
