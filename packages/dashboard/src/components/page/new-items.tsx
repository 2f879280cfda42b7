import { formatCount } from '../../data/formats/format-number.ts';
import { Icon } from '../icons/icon.tsx';

interface NewItemsProps {
  /** The number of items that are not shown yet. */
  readonly count: number;
  readonly noun: readonly [one: string, many: string];
  readonly onShow: () => void;
}

/** Announces new items above. It floats over the list, so that what is being read stays in place. */
export function NewItems({ count, noun: [one, many], onShow }: NewItemsProps) {
  return (
    <div class="new-items">
      {/* Spoken once, and not with each item that follows: they may be many a minute. */}
      <span class="sr" role="status">
        {count > 0 && `New ${many}`}
      </span>
      {count > 0 && (
        <button type="button" class="btn primary s" onClick={onShow}>
          <Icon name="arrowup" size="s" />
          {formatCount(count)} new {count === 1 ? one : many}
        </button>
      )}
    </div>
  );
}
