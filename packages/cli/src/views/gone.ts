import { view } from '../spec/view.ts';

/** The result of a deletion: the answer of the API is empty. */
interface Gone {
  readonly id: string;
  readonly deleted: true;
}

export const gone = (id: string): Gone => ({ id, deleted: true });

export const goneView = view<Gone>()({
  noun: ['item', 'items'],
  fields: ['id', 'deleted'],
  columns: ['id'],
  id: 'id',
});
