import { LIMITS } from '@hubline/contract/constants';
import type { Provider } from '@hubline/contract/types';
import type { Context } from '../../context.ts';
import { CommandError } from '../../errors/errors.ts';
import { isSecretName } from '../../input/integration-input.ts';

/** A provider by its key. */
export async function findProvider(ctx: Context, key: string): Promise<Provider> {
  const client = await ctx.client();
  for await (const provider of client.integrations.listProviders(
    { limit: LIMITS.pageMax },
    { signal: ctx.signal },
  )) {
    if (provider.provider === key) return provider;
  }
  throw new CommandError('not_found', `There is no provider "${key}".`, 'See: hubline provider list');
}

type Credentials = Record<string, string>;

/** On a terminal, asks for the credentials that a provider needs and that are missing. Elsewhere the server names them. */
export async function askCredentials(
  ctx: Context,
  provider: string,
  given: Credentials,
): Promise<Credentials> {
  if (!ctx.interactive) return given;
  const { required_credentials: required } = await findProvider(ctx, provider);
  const credentials = { ...given };
  for (const name of required.filter((each) => !(each in given))) {
    const prompter = await ctx.prompt(`--credential ${name}=@file`);
    credentials[name] = await (isSecretName(name) ? prompter.secret(name) : prompter.text(name));
  }
  return credentials;
}
