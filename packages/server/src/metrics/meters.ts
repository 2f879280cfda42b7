import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** The makers of the metrics of one registry. `labels` are the names of the labels of a metric. */
export interface Meters {
  gauge<Label extends string = never>(name: string, help: string, labels?: readonly Label[]): Gauge<Label>;
  counter<Label extends string = never>(
    name: string,
    help: string,
    labels?: readonly Label[],
  ): Counter<Label>;
  histogram<Label extends string = never>(
    name: string,
    help: string,
    options: { buckets: number[]; labels?: readonly Label[] },
  ): Histogram<Label>;
}

/** Makes metrics in a registry. */
export function metersOf(registry: Registry): Meters {
  const registers = [registry];
  return {
    gauge: (name, help, labelNames = []) => new Gauge({ name, help, labelNames, registers }),
    counter: (name, help, labelNames = []) => new Counter({ name, help, labelNames, registers }),
    histogram: (name, help, { buckets, labels: labelNames = [] }) =>
      new Histogram({ name, help, buckets, labelNames, registers }),
  };
}
