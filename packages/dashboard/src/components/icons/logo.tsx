/** The mark of Hubline. */
export function Logo() {
  return (
    <svg class="logo" aria-hidden="true">
      <use href="#logo" />
    </svg>
  );
}
