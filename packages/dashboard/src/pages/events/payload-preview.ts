import { visibleText } from '../../data/visible-text.ts';

const PARTS_MAX = 6;
const LOOKED_AT = 50;
const TEXT_MAX = 60;

/** What a payload says on its first level, on one line. It looks at little more than it shows: a payload can be a megabyte. */
export function previewOf(payload: Readonly<Record<string, unknown>>): string {
  const said: string[] = [];
  const named: string[] = [];
  let looked = 0;
  for (const name in payload) {
    if (said.length === PARTS_MAX || looked++ === LOOKED_AT) break;
    const value = payload[name];
    if (value === null || value === '') continue;
    if (typeof value === 'string') said.push(`${cut(name)}: ${cut(value)}`);
    else if (typeof value === 'object') named.push(cut(name));
    else said.push(`${cut(name)}: ${JSON.stringify(value)}`);
  }
  return said.length > 0 ? said.join(' · ') : named.slice(0, PARTS_MAX).join(', ');
}

/** Whole characters, however they are encoded. */
function cut(text: string): string {
  const start = Array.from(text.slice(0, 2 * TEXT_MAX));
  const whole = start.length <= TEXT_MAX && text.length <= 2 * TEXT_MAX;
  return visibleText(whole ? text : `${start.slice(0, TEXT_MAX).join('')}…`).replaceAll(/\s+/g, ' ');
}
