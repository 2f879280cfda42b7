import { Liquid } from 'liquidjs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderBudgetOf, shareRenderBudget } from './render-budget.ts';

interface FilterContext {
  context: { renderLimit: { check(): void }; memoryLimit: { use(count: number): void } };
}

// The CPU time of this thread, in microseconds. Only filters of these tests advance it.
let cpu = 0;

const engine = new Liquid();
engine.registerFilter('ms', function (this: unknown, time: number) {
  cpu += time * 1_000;
  (this as FilterContext).context.renderLimit.check();
  return 'ok';
});
engine.registerFilter('memory', function (this: unknown, count: number) {
  (this as FilterContext).context.memoryLimit.use(count);
  return 'ok';
});

beforeEach(() => {
  cpu = 5_000;
  vi.spyOn(process, 'threadCpuUsage').mockImplementation((since) =>
    since ? { user: (cpu - since.user) / 2, system: (cpu - since.system) / 2 } : { user: cpu, system: cpu },
  );
});
afterEach(() => void vi.restoreAllMocks());

const TIME = 'template render limit exceeded';
const MEMORY = 'memory alloc limit exceeded';
const MIB = 1_048_576;

function outcomeOf(source: string, values: object): string {
  try {
    return renderBudgetOf(values).render(engine, source, values);
  } catch (error) {
    return (error as Error).message.replace(/, line.*$/s, '');
  }
}

// The amounts that the texts of a set take, and their outcomes.
it.each<[string, 'ms' | 'memory', number[], string]>([
  ['a text may take 100 ms', 'ms', [100], 'ok'],
  ['a text may not take longer', 'ms', [100.001], 'refused'],
  ['all texts together may take 250 ms', 'ms', [100, 100, 50], 'ok ok ok'],
  ['all texts together may not take longer', 'ms', [100, 100, 50.001], 'ok ok refused'],
  ['after 250 ms, every text fails', 'ms', [100, 100, 50, 0], 'ok ok ok refused'],
  ['just before 250 ms, a text is filled', 'ms', [100, 100, 49.999, 0], 'ok ok ok ok'],
  ['texts that take too long count too', 'ms', [200, 50, 0], 'refused ok refused'],
  ['a text may make 1,048,576 characters', 'memory', [MIB], 'ok'],
  ['a text may not make more characters', 'memory', [MIB + 1], 'refused'],
  [
    'all texts together may make four times as many',
    'memory',
    [MIB, MIB, MIB, MIB, 0],
    'ok ok ok ok refused',
  ],
  [
    'just before four times as many, a text is filled',
    'memory',
    [MIB, MIB, MIB, MIB - 1, 1, 0],
    'ok ok ok ok ok refused',
  ],
  // A refused text was never made: it uses up its part, and no more.
  [
    'a refused text costs its part',
    'memory',
    [9e9, 9e9, 9e9, MIB - 3, 0],
    'refused refused refused ok refused',
  ],
  ['nothing is given back', 'memory', [-9e9, MIB, MIB, MIB, MIB, 0], 'ok ok ok ok ok refused'],
])('%s', (_, filter, amounts, expected) => {
  const values = {};
  const outcomes = amounts.map((amount) =>
    outcomeOf(amount === 0 ? '{{ "ok" }}' : `{{ ${amount} | ${filter} }}`, values),
  );
  const limit = filter === 'ms' ? TIME : MEMORY;
  expect(outcomes.join(' ')).toBe(expected.replaceAll('refused', limit));
  // Other values have their own budget.
  expect(outcomeOf('{{ "ok" }}', {})).toBe('ok');
});

it('between nodes, the clock is read now and then', () => {
  engine.registerFilter('late', () => void (cpu += 101_000));
  expect(outcomeOf(`{{ 1 | late }}${'{{ 1 }}'.repeat(8)}`, {})).toBe(TIME);
});

it('values of one owner share its budget', () => {
  const [owner, some, others] = [{}, {}, {}];
  shareRenderBudget(some, owner);
  shareRenderBudget(others, owner);
  expect([renderBudgetOf(some), renderBudgetOf(others)]).toEqual([
    renderBudgetOf(owner),
    renderBudgetOf(owner),
  ]);
  const outcomes = [some, others, owner, some].map((values) => outcomeOf('{{ 90 | ms }}', values));
  expect(outcomes).toEqual(['ok', 'ok', TIME, TIME]);
});
