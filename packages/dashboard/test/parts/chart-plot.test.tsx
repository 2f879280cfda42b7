import { render } from '@testing-library/preact';
import { expect, it } from 'vitest';
import { ChartPlot } from '../../src/components/chart/chart-plot.tsx';

// Seen in WebKit, which stretches the round ends of a line without a length with the drawing.
it('draws a value without neighbors as a line with a length', () => {
  const times = ['2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z', '2026-01-01T00:02:00Z'];
  const series = [{ label: 'p95', tone: 'warn', values: [null, 5, null] } as const];
  const { container } = render(
    <ChartPlot label="Response time" times={times} series={series} at={undefined} onPoint={() => {}} />,
  );
  expect(container.querySelector('.plot-dots')?.getAttribute('d')).toMatch(/^M1\.5 \S+h0?\.\d+$/);
});
