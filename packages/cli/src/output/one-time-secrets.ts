import type { Context } from '../context.ts';
import type { AnyInput, Command } from '../spec/command.ts';
import type { AnyView } from '../spec/view.ts';
import { visible, visibleDeep } from '../terminal/text.ts';
import { toText, valueAt } from './fields.ts';
import type { Format } from './formats/format.ts';

/** The secrets of an item that nobody can ask for again. */
export function secretsIn(
  item: unknown,
  { oneTimeSecrets = [] }: AnyView,
): { readonly path: string; readonly secret: string }[] {
  return oneTimeSecrets
    .map((path) => ({ path, secret: toText(valueAt(item, path)) }))
    .filter(({ secret }) => secret !== '');
}

/** Watches the one-time secrets in the output of a command, so that none is lost silently. */
interface SecretWatch {
  /** Called when an item is about to be printed. */
  given(item: unknown): void;
  /** Called when a text was printed. */
  printed(text: string | Uint8Array): void;
  /** Shows on stderr the secrets that the output has left out. */
  showLeftOut(): Promise<void>;
}

/** Formats in which the user chooses the fields. The others have every secret. */
const CHOOSY: readonly Format[] = ['json', 'ndjson', 'yaml', 'jq', 'template'];

/** Watches the output of a command in one format for secrets that the API shows only once. */
export function watchSecrets(
  ctx: Context,
  { format, command, input }: { format: Format; command: Command; input: AnyInput },
): SecretWatch {
  const { view } = command;
  const made: unknown[] = [];
  let open: { readonly path: string; readonly secret: string; readonly item: unknown }[] = [];
  const { ofLoss = (name) => `${name} exists, but its secret` } = view;
  const nameOf = (item: unknown): string => visible(toText(valueAt(item, view.name ?? view.id)));
  const lost = (): string[] =>
    made.map((item) => {
      const cure = command.ifLost?.(visibleDeep(item), input) ?? '';
      return `${ofLoss(nameOf(item))} may be lost with this output. ${cure}`;
    });
  if (view.oneTimeSecrets) ctx.io.onLoss(() => lost().map(ctx.asTyped));
  return {
    given: (item) => {
      const secrets = secretsIn(item, view);
      if (secrets.length > 0) made.push(item);
      if (CHOOSY.includes(format)) open.push(...secrets.map((each) => ({ ...each, item })));
    },
    printed: (text) => {
      if (typeof text === 'string') open = open.filter(({ secret }) => !text.includes(secret));
    },
    showLeftOut: async () => {
      for (const { path, secret, item } of open.splice(0)) {
        const what = `${path} of ${nameOf(item)}`;
        await ctx.report(`The output leaves out ${what}, which is shown only once: ${visible(secret)}`);
      }
      if (made.length > 0 && ctx.io.stdout.discards) for (const line of lost()) await ctx.report(line);
    },
  };
}
