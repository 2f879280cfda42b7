import { typeName } from '../../texts/type-name.ts';

/** The type of an event: the kind of thing that it is about, or `message` for comments. */
export function notionType(name: unknown): string {
  const [entity = ''] = typeof name === 'string' ? name.split('.', 1) : [];
  return entity === 'comment' ? 'message' : typeName(entity, 'notion');
}

/** The action of an event, such as `content_updated`, in Notion's words. */
export function notionAction(name: unknown): string | null {
  if (typeof name !== 'string' || !name.includes('.')) return null;
  return name.slice(name.indexOf('.') + 1, 200).slice(0, 100) || null;
}
