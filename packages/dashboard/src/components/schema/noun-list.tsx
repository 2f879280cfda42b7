import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { toastError } from '../dialogs/toast.tsx';
import { useFilters } from '../../data/address/use-filters.ts';
import { countNote, type Pages } from '../../data/queries/use-pages.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { Button } from '../controls/button.tsx';
import { Toggle } from '../controls/toggle.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import { Form } from '../fields/form.tsx';
import { TextField } from '../fields/text-field.tsx';
import { EmptyState } from '../page/empty-state.tsx';
import { LoadMore } from '../page/load-more.tsx';
import { Page } from '../page/page.tsx';
import { type Column, Table } from '../page/table.tsx';
import { commandSample } from '../code/command-samples.ts';
import { Foreign } from '../text/foreign.tsx';

interface Noun {
  readonly id: string;
  readonly name: string;
  readonly enabled?: boolean;
}

interface NounListProps<Item extends Noun> {
  readonly title: string;
  /** One and many: `['rule', 'rules']`. */
  readonly noun: readonly [one: string, many: string];
  /** The page of the list, below the workspace. */
  readonly page: string;
  readonly pages: Pages<Item>;
  readonly columns: readonly Column<Item>[];
  readonly onEnable?: (item: Item, enabled: boolean) => Promise<Item>;
  /** A name as an example. */
  readonly placeholder: string;
  /** Makes a new one with a name; everything else is set on its page. */
  readonly onCreate: (name: string) => Promise<Noun>;
  /** The words of an empty list. */
  readonly empty: ComponentChildren;
  /** The command that makes one, and its file. */
  readonly sample: readonly [command: string, file: string];
}

/** A list of things with names, most of them with a switch, and a way to make another. */
export function NounList<Item extends Noun>({
  title,
  noun,
  page,
  pages,
  columns,
  onEnable,
  placeholder,
  onCreate,
  empty,
  sample,
}: NounListProps<Item>) {
  const { refusal, href, slug } = useWorkspace();
  const { route } = useLocation();
  const dialog = useFilters(['new']);
  const forbidden = refusal('edit_automations');
  const what = `New ${noun[0]}`;
  const create = (
    <Button kind="primary" icon="plus" blocked={forbidden} onClick={() => dialog.set({ new: '1' })}>
      {what}
    </Button>
  );
  async function enable(item: Item, enabled: boolean): Promise<void> {
    try {
      const changed = await onEnable?.(item, enabled);
      if (changed) pages.update((items) => items.map((each) => (each.id === changed.id ? changed : each)));
    } catch (error) {
      toastError(error);
    }
  }
  return (
    <Page title={title} note={countNote(pages)} actions={create}>
      <Table
        caption={title}
        items={pages.items}
        rowKey={({ id }) => id}
        href={({ id }) => href(`${page}/${id}`)}
        muted={({ enabled }) => enabled === false}
        columns={[
          {
            label: 'Name',
            cell: ({ name }) => (
              <span class="strong">
                <Foreign text={name} />
              </span>
            ),
          },
          ...columns,
          ...(onEnable
            ? [
                {
                  label: 'On',
                  cell: (item: Item) => (
                    <Toggle
                      on={item.enabled === true}
                      label={`${item.name} on`}
                      blocked={forbidden}
                      onChange={(on) => void enable(item, on)}
                    />
                  ),
                },
              ]
            : []),
        ]}
        empty={
          <EmptyState
            title={`No ${noun[1]} yet`}
            action={forbidden ? undefined : create}
            samples={commandSample(slug, ...sample)}
          >
            {empty}
          </EmptyState>
        }
      />
      <LoadMore pages={pages} />
      <Dialog open={!forbidden && dialog.values.new !== undefined} title={what} onClose={dialog.clear}>
        <Form
          submit="Create"
          onCancel={dialog.clear}
          action={async (fields) => route(href(`${page}/${(await onCreate(fields.text('name'))).id}`))}
        >
          <TextField name="name" label="Name" placeholder={placeholder} />
        </Form>
      </Dialog>
    </Page>
  );
}
