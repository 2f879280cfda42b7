const WIDTHS = ['w3', 'w5', 'w4', 'w5', 'w2'] as const;

/** Stands for facts that are on their way, in about the room that they will take. */
export function Loading({ rows = 5 }: { rows?: number }) {
  return (
    <div class="stack" data-gap="s" role="progressbar" aria-label="Loading" aria-busy="true">
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} class={`skel ${WIDTHS[row % WIDTHS.length]}`} />
      ))}
    </div>
  );
}
