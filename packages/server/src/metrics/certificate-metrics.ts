import type { CertificateStatus } from '../system/server-info.ts';
import type { Meters } from './meters.ts';

/** The metrics of the certificate that a server gets by itself. The returned function updates them; without a domain they are empty. */
export function certificateMetrics(meters: Meters, certificate: () => CertificateStatus | null): () => void {
  const expiry = meters.gauge(
    'hubline_certificate_expiry_timestamp_seconds',
    'When the certificate expires, in seconds since 1970; 0 before the first.',
  );
  const renewal = meters.gauge(
    'hubline_certificate_renewal_timestamp_seconds',
    'When the renewal of the certificate begins, in seconds since 1970; 0 before the first.',
  );
  const failed = meters.counter(
    'hubline_certificate_failures_total',
    'Failed attempts to get a certificate since the process started; each is retried.',
  );
  return () => {
    const status = certificate();
    if (status === null) {
      // The library begins with 0, which would mean a certificate of 1970.
      for (const metric of [expiry, renewal, failed]) metric.remove();
      return;
    }
    expiry.set((status.expiresAt?.getTime() ?? 0) / 1_000);
    renewal.set((status.renewsAt?.getTime() ?? 0) / 1_000);
    // The status has the count: this copies it.
    failed.reset();
    failed.inc(status.failures);
  };
}
