import type { AutomationCreate } from '@hubline/contract/types';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors/errors.ts';
import { readInput } from '../../input/read-input.ts';

/** Automations in a file, or on stdin: YAML or JSON, one or a list of them, in one document or several. */
export async function readDefinitions(ctx: Context, source: string): Promise<AutomationCreate[]> {
  const text = (await readInput(ctx, source, '--file')).toString('utf8');
  const { default: yaml } = await import('yaml');
  const documents = yaml.parseAllDocuments(text);
  const values = (Array.isArray(documents) ? documents : []).flatMap((document) => {
    const [fault] = document.errors;
    if (fault) throw usageError(`--file ${source} is no YAML: ${fault.message}`, 'JSON is YAML, too.');
    return [document.toJS() as unknown].flat();
  });
  const definitions = values.filter(
    (value): value is AutomationCreate => typeof value === 'object' && value !== null,
  );
  if (definitions.length === 0 || definitions.length < values.length)
    throw usageError(`--file ${source} holds no automation.`, 'See: hubline automation create --help');
  return definitions;
}

/** One automation in a file. */
export async function readDefinition(ctx: Context, source: string): Promise<AutomationCreate> {
  const [first, ...others] = await readDefinitions(ctx, source);
  if (first === undefined || others.length > 0)
    throw usageError(`--file ${source} must hold one automation.`, 'For several: hubline automation apply');
  return first;
}
