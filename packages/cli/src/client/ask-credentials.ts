import type { Context } from '../context.ts';
import { isSecretName } from '../input/credentials.ts';
import { findProvider } from './find-provider.ts';

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
