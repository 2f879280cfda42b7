/** The mark of Hubline: two stems, a line between them, and the hub on it. */
export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 20 20" aria-hidden="true">
      <path
        class="stem"
        d="M4.5 3.2v13.6M15.5 3.2v13.6"
        stroke="currentColor"
        stroke-width="2.4"
        stroke-linecap="round"
        fill="none"
      />
      <path class="ln" d="M4.5 10h11" stroke-width="1.8" fill="none" />
      <circle class="hub" cx="10" cy="10" r="3.4" />
    </svg>
  );
}
