import type { Provider as ProviderDocument, VendorActionName } from '@hubline/contract';
import type { z } from 'zod';
import type { Provider, ProviderAction } from './provider.ts';

/** The actions of a provider as the API shows them. */
export function describeActions({ actions }: Provider): z.output<typeof ProviderDocument>['actions'] {
  return Object.entries((actions ?? {}) as Record<VendorActionName, ProviderAction>).map(
    ([type, { name, inputs, outputs }]) => ({
      type: type as VendorActionName,
      name,
      inputs: Object.entries(inputs).map(([input, shape]) => ({ name: input, ...shape })),
      outputs: [...outputs],
    }),
  );
}
