/**
 * The drawings of the dashboard. The build writes them into index.html, where `<use>` finds them at once. They stay
 * out of the JavaScript, and the browser parses them only once.
 */

/** Icons of 16 × 16, drawn in lines of 1.5. In a list of two, the second path is dots, which are drawn thicker. */
const icons = {
  overview: 'M2.5 9.5h2.8l1.7-6 2.6 9 1.7-5 .8 2h1.4',
  events: ['M5.5 4h8M5.5 8h8M5.5 12h8', 'M2.5 4h.01M2.5 8h.01M2.5 12h.01'],
  deliveries: 'M13.6 2.4 7.2 8.8M13.6 2.4 9.4 13.6 7.2 8.8 2.4 6.6z',
  webhooks: 'M2.5 8h4M6.6 8a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0 -4.4 0zM10.4 6.5 13.5 4M10.4 9.5l3.1 2.5',
  integrations: 'M6 2.2v3M10 2.2v3M4.2 5.2h7.6v2.3a3.8 3.8 0 0 1-7.6 0zM8 11.3v2.5',
  automation:
    'M3.5 2.5h2.6a1.2 1.2 0 0 1 1.2 1.2v1.6a1.2 1.2 0 0 1 -1.2 1.2h-2.6a1.2 1.2 0 0 1 -1.2 -1.2v-1.6a1.2 1.2 0 0 1 1.2 -1.2zM9.9 9.5h2.6a1.2 1.2 0 0 1 1.2 1.2v1.6a1.2 1.2 0 0 1 -1.2 1.2h-2.6a1.2 1.2 0 0 1 -1.2 -1.2v-1.6a1.2 1.2 0 0 1 1.2 -1.2zM4.8 6.5v3a2 2 0 0 0 2 2h1.9',
  bell: 'M4.2 6.8a3.8 3.8 0 0 1 7.6 0c0 3.2 1.2 4.2 1.2 4.2H3s1.2-1 1.2-4.2zM6.7 13.4a1.5 1.5 0 0 0 2.6 0',
  members:
    'M3.6 5.4a2.4 2.4 0 1 0 4.8 0a2.4 2.4 0 1 0 -4.8 0zM1.8 13.2c.3-2.4 2-3.8 4.2-3.8s3.9 1.4 4.2 3.8M10.6 3.3a2.3 2.3 0 0 1 0 4.2M12 9.8c1.3.5 2 1.7 2.2 3.4',
  key: 'M2.5 10.7a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0 -5.6 0zM7.4 8.6l5.8-5.8M10.6 5.4l2 2',
  audit: 'M3.5 2.5h9v11h-9zM6 5.5h4M6 8h4M6 10.5h2',
  settings:
    'M2.5 5h5.6M11.4 5h2.1M2.5 11h2.1M7.9 11h5.6M8.2 5a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0 -3.2 0zM4.6 11a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0 -3.2 0z',
  server: ['M2.5 3h11v4h-11zM2.5 9h11v4h-11z', 'M5 5h.01M5 11h.01'],
  search: 'M2.8 7a4.2 4.2 0 1 0 8.4 0a4.2 4.2 0 1 0 -8.4 0zM10.2 10.2l3.3 3.3',
  down: 'M4.5 6.5l3.5 3.5 3.5-3.5',
  up: 'M4.5 9.5l3.5-3.5 3.5 3.5',
  right: 'M6.5 4.5l3.5 3.5-3.5 3.5',
  updown: 'M5 6.2l3-3 3 3M5 9.8l3 3 3-3',
  x: 'M4.2 4.2l7.6 7.6M11.8 4.2l-7.6 7.6',
  plus: 'M8 3.2v9.6M3.2 8h9.6',
  copy: 'M7.1 5.5h4.8a1.6 1.6 0 0 1 1.6 1.6v4.8a1.6 1.6 0 0 1 -1.6 1.6h-4.8a1.6 1.6 0 0 1 -1.6 -1.6v-4.8a1.6 1.6 0 0 1 1.6 -1.6zM10.5 5.5V4A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5A1.5 1.5 0 0 0 4 10.5h1.5',
  out: 'M9.2 2.8h4v4M13 3 7.4 8.6M11.2 9.6v2.2a1.4 1.4 0 0 1-1.4 1.4H4.2a1.4 1.4 0 0 1-1.4-1.4V6.2a1.4 1.4 0 0 1 1.4-1.4h2.2',
  expand: 'M9.5 2.8h3.7v3.7M6.5 13.2H2.8V9.5M13 3 9.2 6.8M3 13l3.8-3.8',
  play: 'M5 3.4v9.2l7.4-4.6z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  retry: 'M13 8a5 5 0 1 1-1.6-3.7M13.2 2.2v3h-3',
  check: 'M3.2 8.4l3.2 3.2 6.4-7',
  more: ['', 'M3.5 8h.01M8 8h.01M12.5 8h.01'],
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  clock: 'M2.4 8a5.6 5.6 0 1 0 11.2 0a5.6 5.6 0 1 0 -11.2 0zM8 4.8V8l2.2 1.4',
  arrow: 'M3 8h10M9.2 4.2 13 8l-3.8 3.8',
  arrowdown: 'M8 3v10M4.2 9.2 8 13l3.8-3.8',
  arrowup: 'M8 13V3M4.2 6.8 8 3l3.8 3.8',
  alert: 'M8 2.6 14 13H2zM8 6.6v2.8M8 11.3h.01',
  code: 'M5.4 4.4l-3.6 3.6 3.6 3.6M10.6 4.4l3.6 3.6-3.6 3.6',
  trash: 'M2.8 4.4h10.4M6.2 4.2V2.8h3.6v1.4M4.2 4.6l.6 8.6h6.4l.6-8.6M6.8 7v3.8M9.2 7v3.8',
  terminal: 'M3 5l3 3-3 3M8 11.5h5',
  user: 'M5.3 5.4a2.7 2.7 0 1 0 5.4 0a2.7 2.7 0 1 0 -5.4 0zM3 13.4c.4-2.6 2.3-4 5-4s4.6 1.4 5 4',
  wrap: 'M2.5 4h11M2.5 8h9a2 2 0 0 1 0 4H8.6M10 10.2 8.2 12l1.8 1.8M2.5 12h3',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  zap: 'M8.8 2 3.4 9.2h4L7 14l5.6-7.4h-4z',
  slack: 'M6 2.8v10.4M10 2.8v10.4M2.8 6h10.4M2.8 10h10.4',
  teams:
    'M3.6 4.6h4.6a1.4 1.4 0 0 1 1.4 1.4v4.2a1.4 1.4 0 0 1 -1.4 1.4h-4.6a1.4 1.4 0 0 1 -1.4 -1.4v-4.2a1.4 1.4 0 0 1 1.4 -1.4zM4.2 7h3.4M5.9 7v2.8M9.6 6.6h4v3.2a2.4 2.4 0 0 1-4 1.7M10.4 4a1.4 1.4 0 1 0 2.8 0a1.4 1.4 0 1 0 -2.8 0z',
  custom:
    'M6.2 3.2c-1.6 0-2 .6-2 1.8v1.2c0 1-.5 1.5-1.6 1.8 1.1.3 1.6.8 1.6 1.8V11c0 1.2.4 1.8 2 1.8M9.8 3.2c1.6 0 2 .6 2 1.8v1.2c0 1 .5 1.5 1.6 1.8-1.1.3-1.6.8-1.6 1.8V11c0 1.2-.4 1.8-2 1.8',
  mail: 'M3.8 3.6h8.4a1.6 1.6 0 0 1 1.6 1.6v5.6a1.6 1.6 0 0 1 -1.6 1.6h-8.4a1.6 1.6 0 0 1 -1.6 -1.6v-5.6a1.6 1.6 0 0 1 1.6 -1.6zM2.8 4.8l5.2 4 5.2-4',
} as const;

export type IconName = keyof typeof icons;

/** Marks of states, 14 × 14: each has its own shape, so that it can be recognized without color. */
const marks = {
  ok: '<circle cx="7" cy="7" r="6" fill="currentColor"/><path class="knock" d="m4.5 7.2 1.8 1.8 3.3-3.8"/>',
  retry: '<path class="mk-o" d="M12 7a5 5 0 1 1-1.6-3.7"/><path d="M12.6.9v4.2H8.4z" fill="currentColor"/>',
  fail: '<path d="M4.7 1h4.6L13 4.7v4.6L9.3 13H4.7L1 9.3V4.7z" fill="currentColor"/><path class="knock" d="m5.1 5.1 3.8 3.8M8.9 5.1 5.1 8.9"/>',
  wait: '<circle class="mk-o" cx="7" cy="7" r="5.2" stroke-dasharray="2.2 1.9"/>',
  warn: '<path d="M7 1.2 13.4 12.6H.6z" fill="currentColor" stroke="currentColor" stroke-linejoin="round"/><path class="knock" d="M7 5.4v3M7 10.7v.01"/>',
  off: '<circle class="mk-o" cx="7" cy="7" r="5.2"/><path class="mk-o" d="M4.8 7h4.4"/>',
} as const;

export type MarkName = keyof typeof marks;

/** The mark of Hubline: two stems, a line between them, and the hub on it. */
const LOGO =
  '<path d="M4.5 3.2v13.6M15.5 3.2v13.6" stroke="currentColor" stroke-width="2.4" stroke-linecap="round"/>' +
  '<path class="ln" d="M4.5 10h11" stroke-width="1.8"/><circle class="hub" cx="10" cy="10" r="3.4"/>';

/** The drawing of empty states: tools, the hub, and an empty tile. */
const EMPTY =
  '<path class="empty-wire" d="M34 12C58 12 58 36 80 36M34 36h46M34 60C58 60 58 36 80 36"/>' +
  [12, 36, 60]
    .map((y) => `<rect class="empty-tile" x="10.5" y="${y - 9.5}" width="24" height="19" rx="5"/>`)
    .join('') +
  '<path class="empty-wire dash" d="M88 36h42"/><rect class="empty-tile dash" x="131.5" y="23.5" width="25" height="25" rx="6"/>' +
  '<circle class="hub" cx="84" cy="36" r="9"/>';

function iconOf(paths: string | readonly [string, string]): string {
  const [lines, dots] = [paths].flat();
  return `<path d="${lines}"/>${dots === undefined ? '' : `<path d="${dots}" stroke-width="2"/>`}`;
}

const symbol = (id: string, box: string, drawing: string): string =>
  `<symbol id="${id}" viewBox="0 0 ${box}">${drawing}</symbol>`;

/** All drawings, as the symbols of one SVG. */
export const symbols = [
  ...Object.entries(icons).map(([name, paths]) => symbol(`i-${name}`, '16 16', iconOf(paths))),
  ...Object.entries(marks).map(([name, drawing]) => symbol(`mk-${name}`, '14 14', drawing)),
  symbol('logo', '20 20', LOGO),
  symbol('empty', '168 72', EMPTY),
].join('');
