const WIDTHS = ['w3', 'w5', 'w4', 'w5', 'w2'] as const;

/** A placeholder for facts that are loading, about as large as they will be. */
export function Loading({ rows = 5 }: { rows?: number }) {
  return (
    <div class="stack" data-gap="s" role="progressbar" aria-label="Loading" aria-busy="true">
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} class={`skel ${WIDTHS[row % WIDTHS.length]}`} />
      ))}
    </div>
  );
}
