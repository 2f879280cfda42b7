import { brandClass, hasBrand } from '../icons/provider-icon.tsx';
import { LogoPaths } from '../icons/logo.tsx';

const TOOLS = ['github', 'gitlab', 'linear', 'slack', 'jira', 'notion', 'discord', 'custom'] as const;

/** Tools with no logo of their own here, in lines. */
const LINES: Readonly<Record<string, string>> = {
  slack: 'M6 2.8v10.4M10 2.8v10.4M2.8 6h10.4M2.8 10h10.4',
  custom:
    'M6.2 3.2c-1.6 0-2 .6-2 1.8v1.2c0 1-.5 1.5-1.6 1.8 1.1.3 1.6.8 1.6 1.8V11c0 1.2.4 1.8 2 1.8M9.8 3.2c1.6 0 2 .6 2 1.8v1.2c0 1 .5 1.5 1.6 1.8-1.1.3-1.6.8-1.6 1.8V11c0 1.2-.4 1.8-2 1.8',
};

const ENDPOINTS = [
  { name: 'billing.example.com', said: 'retry 4 in 1:27', tone: 'warnd', y: 210 },
  { name: 'deploybot.example.com', said: '200 in 84 ms', tone: 'okd', y: 330 },
  { name: 'warehouse.example.com', said: '202 in 211 ms', tone: 'okd', y: 450 },
  { name: 'status.example.com', said: '204 in 133 ms', tone: 'okd', y: 570 },
] as const;

/** Events under way, each at a place on its line. */
const BITS = [
  [199.4, 185.1],
  [259.8, 336.4],
  [224.5, 330],
  [212.3, 563.3],
  [275.4, 419.1],
  [481, 373.1],
  [518.4, 336.2],
  [492.8, 420],
] as const;

const HOT: readonly number[] = [0, 2, 7];

/** Tools on the left, the hub, and endpoints on the right. Decoration. */
export function DoorArt() {
  return (
    <svg class="art" viewBox="30 30 770 720" preserveAspectRatio="xMidYMid meet" aria-hidden="true">
      {[90, 170, 250, 330].map((r) => (
        <circle key={r} class="plane" cx="372" cy="390" r={r} />
      ))}
      {TOOLS.map((tool, at) => (
        <path
          key={tool}
          class={HOT.includes(at) ? 'wirep hot' : 'wirep'}
          d={`M118 ${110 + at * 80}C230 ${110 + at * 80} 220 390 328 390`}
        />
      ))}
      {ENDPOINTS.map(({ y }, at) => (
        <path key={y} class={at < 3 ? 'wirep hot' : 'wirep'} d={`M416 390C520 390 470 ${y} 556 ${y}`} />
      ))}
      <circle class="halo" cx="372" cy="390" r="92" />
      <circle class="halo" cx="372" cy="390" r="66" />
      <rect class="core" x="330" y="348" width="84" height="84" rx="22" />
      <g transform="translate(346 364) scale(2.6)" class="stemc">
        <LogoPaths />
      </g>
      {BITS.map(([x, y]) => (
        <circle key={x} class="bit" cx={x} cy={y} r="4" />
      ))}
      <circle class="bit w" cx="501" cy="268.2" r="4" />
      {TOOLS.map((tool, at) => (
        <g key={tool}>
          <rect class="tile" x="70" y={86 + at * 80} width="48" height="48" rx="12" />
          {hasBrand(tool) ? (
            <foreignObject x="83" y={99 + at * 80} width="22" height="22">
              <span class={brandClass(tool)} />
            </foreignObject>
          ) : (
            <g class="gl-s" transform={`translate(82 ${98 + at * 80}) scale(1.5)`}>
              <path d={LINES[tool]} />
            </g>
          )}
        </g>
      ))}
      {ENDPOINTS.map(({ name, said, tone, y }) => (
        <g key={name}>
          <rect class="tile" x="556" y={y - 28} width="206" height="56" rx="12" />
          <circle class={tone} cx="576" cy={y - 8} r="4" />
          <text class="txt" x="591" y={y - 4}>
            {name}
          </text>
          <text class="txt2" x="591" y={y + 15}>
            {said}
          </text>
        </g>
      ))}
    </svg>
  );
}
