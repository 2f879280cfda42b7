import { Seg } from '../../components/controls/seg.tsx';
import { useFilters } from '../../data/address/use-filters.ts';

const VIEWS = { list: 'List', cause: 'By cause' } as const;

/** Switches between the list and the groups by cause; the choice is in the address. */
export function ViewSwitch() {
  const { values, set } = useFilters(['view']);
  return (
    <span class="end">
      <Seg
        label="View"
        options={VIEWS}
        value={values.view === 'cause' ? 'cause' : 'list'}
        onChange={(view) => set({ view: view === 'cause' ? view : undefined })}
      />
    </span>
  );
}
