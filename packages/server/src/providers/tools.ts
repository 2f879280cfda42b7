import type { ProviderHttp } from '../outbound/provider-http.ts';

/** Credential fields by name. They are encrypted when they are stored. */
export type Credentials = Readonly<Record<string, string>>;

/** The tools that a provider may use besides its own arguments. */
export interface ProviderTools {
  providerHttp: ProviderHttp;
  clock: () => Date;
  /** Base URL of the provider's API from the operator (`HUBLINE_<PROVIDER>_API_URL`), if overridden. */
  apiUrl: string | undefined;
}
