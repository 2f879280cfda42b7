import type { EndpointInput } from '@hubline/contract';

/** A provider as a workspace defines it: how its calls are verified and read. */
export type Definition = EndpointInput<'providers.create'>['body'];

/** The proof of origin that calls carry. */
export type Verification = Definition['verification'];

/** A proof by a signature over the bytes of the call. */
export type Signature = Extract<Verification, { signed?: string | undefined }>;

/** The name of the credential that verifies calls. */
export const proofName = ({ kind }: Verification): 'secret' | 'public_key' =>
  kind === 'ed25519' ? 'public_key' : 'secret';
