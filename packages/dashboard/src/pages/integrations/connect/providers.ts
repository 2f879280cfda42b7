import { LIMITS } from '@hubline/contract/constants';
import { client } from '../../../api/client.ts';
import { useQuery } from '../../../data/queries/use-query.ts';

/** The providers that can be connected. */
export const useProviders = () =>
  useQuery(
    (signal) => client.integrations.listProviders({ limit: LIMITS.pageMax }, { signal }).toArray(),
    ['providers', 'built-in'],
  );

/** The provider that a workspace can connect several times; it has one integration of each other. */
export const REPEATABLE = 'custom';
