import { view } from '../spec/view.ts';

/** The result of a deletion. The API's own response is empty. */
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
