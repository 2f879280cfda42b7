/** 16 × 16, drawn in lines of 1.5; one style for all. */
const PATHS = {
  brand: 'M4.5 2.5v11M11.5 2.5v11M4.5 8h7',
  overview: 'M2.5 2.5h4.5v6H2.5zM9 2.5h4.5v3H9zM9 8h4.5v5.5H9zM2.5 11h4.5v2.5H2.5z',
  events: 'M2.5 4h1M6 4h7.5M2.5 8h1M6 8h7.5M2.5 12h1M6 12h7.5',
  deliveries: 'M13.5 2.5 7 9M13.5 2.5l-4 11L7 9 2.5 6.5z',
  webhooks:
    'M6 5.5a2.5 2.5 0 1 1 3.4 2.3L11.5 11M8 5.5 5.5 10.3M11.8 13.5a2 2 0 1 0-1.7-3M4.6 9.2A2.3 2.3 0 1 0 6.8 11.5H11',
  integrations: 'M6 2.5v3M10 2.5v3M4 5.5h8v2.5a4 4 0 0 1-8 0zM8 12v2',
  members:
    'M6 7.5a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6zM1.8 13.5a4.2 4.2 0 0 1 8.4 0M10.5 3.2a2.2 2.2 0 0 1 0 4.2M12 9.7a4 4 0 0 1 2.3 3.8',
  key: 'M9.7 9.3a3.4 3.4 0 1 0-3-3L2.5 10.5v3h3v-2h2v-2zM10.6 5.4h.1',
  audit: 'M4 1.8h5.5L12.5 5v9.2H4zM6.2 7.5h4M6.2 10.5h4',
  settings:
    'M2.5 4.5h6M11.5 4.5h2M2.5 11.5h2M7.5 11.5h6M10 6.3a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6zM6 13.3a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6z',
  user: 'M8 7.8a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4zM2.8 13.8a5.2 5.2 0 0 1 10.4 0',
  menu: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  check: 'M3 8.5 6.5 12 13 4.5',
  plus: 'M8 3v10M3 8h10',
  refresh: 'M13 8a5 5 0 1 1-1.5-3.6L13 6M13 2.5V6H9.5',
  play: 'M5 3l7.5 5L5 13z',
  pause: 'M5.5 3v10M10.5 3v10',
  external: 'M9 2.5h4.5V7M13.5 2.5 7.5 8.5M11.5 9.5v4h-9v-9h4',
  alert: 'M8 2 1.8 13.2h12.4zM8 6.5v3.2M8 11.6v.1',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.3v3.6M8 5.1v.1',
  trash: 'M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.6 9h6.8l.6-9M6.7 7v4M9.3 7v4',
  'arrow-up': 'M8 13V3.5M4 7l4-4 4 4',
  chevron: 'M6 4l4 4-4 4',
} as const;

export type IconName = keyof typeof PATHS;

/** Decoration: what it means is said in words beside it, or in the label of its button. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.5"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
