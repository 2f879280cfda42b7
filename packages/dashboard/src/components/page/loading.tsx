/** Stands for facts that are on their way, in about the room that they will take. */
export function Loading({ rows = 5 }: { rows?: number }) {
  return (
    <div class="stack" role="progressbar" aria-label="Loading" aria-busy="true">
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} class="skeleton" />
      ))}
    </div>
  );
}
