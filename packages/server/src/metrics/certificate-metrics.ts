import { Counter, Gauge, type Registry } from 'prom-client';
import type { CertificateStatus } from '../server-facts.ts';

/** The metrics of the certificate that a server gets by itself; the result brings them up to date. Without a domain they have no values. */
export function certificateMetrics(
  registry: Registry,
  certificate: () => CertificateStatus | null,
): () => void {
  const registers = [registry];
  const expiry = new Gauge({
    name: 'hubline_certificate_expiry_timestamp_seconds',
    help: 'The end of the certificate, in seconds since 1970; 0 before the first.',
    registers,
  });
  const renewal = new Gauge({
    name: 'hubline_certificate_renewal_timestamp_seconds',
    help: 'The time from which the certificate is renewed, in seconds since 1970; 0 before the first.',
    registers,
  });
  const failed = new Counter({
    name: 'hubline_certificate_failures_total',
    help: 'Tries to get a certificate that failed since the process started; each is repeated.',
    registers,
  });
  return () => {
    const status = certificate();
    if (status === null) {
      // The library begins with 0, which would mean a certificate of 1970.
      for (const metric of [expiry, renewal, failed]) metric.remove();
      return;
    }
    expiry.set((status.expiresAt?.getTime() ?? 0) / 1_000);
    renewal.set((status.renewsAt?.getTime() ?? 0) / 1_000);
    // Counted where it happens.
    failed.reset();
    failed.inc(status.failures);
  };
}
