import type { ComponentChildren } from 'preact';
import { Foreign } from '../../components/text/foreign.tsx';

/** The fields of texts that a person reads, in Slack blocks, Discord embeds and Adaptive Cards; titles stand out. */
const TITLES = ['title', 'name'];
const TEXTS = ['text', 'description', 'value'];

/** Draws a message roughly as the tool will: its headings, texts, fields, lines and buttons, in order. */
export function Drawn({ part }: { part: unknown }): ComponentChildren {
  if (Array.isArray(part)) return part.map((each, at) => <Drawn key={at} part={each} />);
  if (typeof part !== 'object' || part === null) return null;
  const { type = '', weight, color, ...others } = part as Record<string, unknown>;
  if (type === 'divider') return <hr />;
  const isLoud = type === 'header' || weight === 'Bolder';
  const inside = Object.entries(others).map(([name, value]) => {
    const isTitle = TITLES.includes(name);
    if (typeof value !== 'string')
      return <Drawn key={name} part={isLoud ? { weight: 'Bolder', ...(value as object) } : value} />;
    if (!isTitle && !TEXTS.includes(name)) return null;
    const text = <Foreign text={value} />;
    return (
      <p class="pre" key={name}>
        {isTitle || isLoud ? <b>{text}</b> : text}
      </p>
    );
  });
  if (/^"(button"|Action)/.test(JSON.stringify(type))) return <span class="btn s">{inside}</span>;
  return typeof color === 'number' ? (
    <div class="embed" style={{ borderColor: `#${color.toString(16).padStart(6, '0')}` }}>
      {inside}
    </div>
  ) : (
    inside
  );
}
