import { LIMITS } from '@hubline/contract/constants';
import type { Provider } from '@hubline/contract/types';
import type { Context } from '../../context.ts';
import { CommandError } from '../../errors/errors.ts';
import { findDefinition } from '../provider/definitions.ts';

/** A provider by its key: one that the server has, or that the workspace has defined. */
export async function findProvider(ctx: Context, key: string): Promise<Provider> {
  const client = await ctx.client();
  for await (const provider of client.integrations.listProviders(
    { limit: LIMITS.pageMax },
    { signal: ctx.signal },
  )) {
    if (provider.provider === key) return provider;
  }
  const defined = await findDefinition(ctx, key);
  if (defined) return defined;
  throw new CommandError(
    'not_found',
    `There is no provider "${key}".`,
    'See: hubline provider list, and define others: hubline provider define --help',
  );
}

type Credentials = Record<string, string>;

/**
 * On a terminal, asks for the way to connect if there are several, for missing credentials that are required, and, if none were given,
 * for the optional ones: without a repository, for example, GitHub's webhook has to be set up by hand. Without a terminal, the server
 * names the missing ones.
 */
export async function askCredentials(
  ctx: Context,
  provider: string,
  given: Credentials,
): Promise<Credentials> {
  if (!ctx.interactive) return given;
  const method = await askMethod(ctx, await findProvider(ctx, provider), given);
  const credentials = { ...given };
  const missing = method.credentials.filter(({ name }) => !(name in given));
  const optional = missing.filter(({ required }) => !required);
  for (const credential of missing)
    if (credential.required) credentials[credential.name] = await askOne(ctx, credential);
  if (optional.length === 0 || Object.keys(given).length > 0) return credentials;
  const prompter = await ctx.prompt('--credential');
  const names = optional.map(({ name }) => name).join(', ');
  if (!(await prompter.confirm(`Enter optional credentials, too: ${names}?`))) return credentials;
  for (const credential of optional) {
    const answer = await askOne(ctx, credential);
    if (answer !== '') credentials[credential.name] = answer;
  }
  return credentials;
}

async function askOne(
  ctx: Context,
  { name, description, required, secret }: Method['credentials'][number],
): Promise<string> {
  const prompter = await ctx.prompt(`--credential ${name}=@file`);
  const what = description.replace(/\.$/, '');
  const question = `${name} (${what}${required ? '' : '; Enter to leave it out'})`;
  return secret ? prompter.secret(question) : prompter.text(question);
}

type Method = Provider['methods'][number];

/** The way to connect that the given credentials belong to. Asks if none are given. */
async function askMethod(ctx: Context, { name, methods }: Provider, given: Credentials): Promise<Method> {
  const names = Object.keys(given);
  const fitting = methods.filter(({ credentials }) =>
    names.every((each) => credentials.some((credential) => credential.name === each)),
  );
  const [only, ...others] = fitting.length > 0 ? fitting : methods;
  if (only === undefined) throw new CommandError('not_found', `${name} takes no credentials.`);
  if (others.length === 0 || names.length > 0) return only;
  const prompter = await ctx.prompt('--credential');
  const chosen = await prompter.choose(
    `How do you connect ${name}?`,
    fitting.map((method) => method.name),
  );
  return fitting.find((method) => method.name === chosen) ?? only;
}
