import { LIMITS } from '@hubline/contract/constants';
import { client } from '../../../api/client.ts';
import { useQuery } from '../../../data/queries/use-query.ts';

/** The providers that can be connected. */
export const useProviders = () =>
  useQuery(
    (signal) => client.integrations.listProviders({ limit: LIMITS.pageMax }, { signal }).toArray(),
    ['providers', 'built-in'],
  );

/** A workspace has one integration of each provider, and of this one as many as it likes. */
export const REPEATABLE = 'custom';
