import { expect, it } from 'vitest';
import { beforeTests, isNamed } from './steps.ts';

it('"types" checks every package: the dashboard and the webhook helper have their own programs', () => {
  const named = beforeTests.flat().filter((step) => isNamed(step, ['types']));
  expect(named.map(({ name }) => name)).toEqual(['types', 'types:dashboard', 'types:webhooks']);
});
