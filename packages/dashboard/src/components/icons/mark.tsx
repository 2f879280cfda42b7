import type { ComponentChildren } from 'preact';

/** Outlines of states: each has its own shape, so that it reads without color. */
const SHAPES = {
  ok: (
    <>
      <circle cx="7" cy="7" r="6" fill="currentColor" />
      <path class="knock" d="m4.5 7.2 1.8 1.8 3.3-3.8" />
    </>
  ),
  retry: (
    <>
      <path class="mk-o" d="M12 7a5 5 0 1 1-1.6-3.7" />
      <path d="M12.6.9v4.2H8.4z" fill="currentColor" />
    </>
  ),
  fail: (
    <>
      <path d="M4.7 1h4.6L13 4.7v4.6L9.3 13H4.7L1 9.3V4.7z" fill="currentColor" />
      <path class="knock" d="m5.1 5.1 3.8 3.8M8.9 5.1 5.1 8.9" />
    </>
  ),
  wait: <circle class="mk-o" cx="7" cy="7" r="5.2" stroke-dasharray="2.2 1.9" />,
  warn: (
    <>
      <path
        d="M7 1.2 13.4 12.6H.6z"
        fill="currentColor"
        stroke="currentColor"
        stroke-width="1"
        stroke-linejoin="round"
      />
      <path class="knock" d="M7 5.4v3M7 10.7v.01" />
    </>
  ),
  off: (
    <>
      <circle class="mk-o" cx="7" cy="7" r="5.2" />
      <path class="mk-o" d="M4.8 7h4.4" />
    </>
  ),
  send: (
    <>
      <circle class="mk-o" cx="7" cy="7" r="5.2" opacity=".35" />
      <path class="mk-o" d="M7 1.8A5.2 5.2 0 0 1 12.2 7" />
    </>
  ),
} as const satisfies Record<string, ComponentChildren>;

export type MarkName = keyof typeof SHAPES;

/** The mark of a state. Decoration with a word beside it; alone it needs a `label`. */
export function Mark({ name, label }: { name: MarkName; label?: string }) {
  return (
    <svg
      class={`mk mk-${name}`}
      viewBox="0 0 14 14"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {SHAPES[name]}
    </svg>
  );
}
