import discord from 'simple-icons/icons/discord.svg?raw';
import github from 'simple-icons/icons/github.svg?raw';
import gitlab from 'simple-icons/icons/gitlab.svg?raw';
import jira from 'simple-icons/icons/jira.svg?raw';
import linear from 'simple-icons/icons/linear.svg?raw';
import notion from 'simple-icons/icons/notion.svg?raw';
import { Icon, type IconName } from './icon.tsx';

/** Logos of Simple Icons, CC0: the path of each, taken from its file. */
export const BRANDS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ discord, github, gitlab, jira, linear, notion }).map(([name, svg]) => [
    name,
    / d="([^"]+)"/.exec(svg)?.[1] ?? '',
  ]),
);

/** Tools whose logos may not be used get a neutral drawing. */
const DRAWN: Readonly<Record<string, IconName>> = { slack: 'slack', teams: 'teams' };

interface ProviderIconProps {
  /** A provider, or the source of an event. */
  readonly provider: string;
  /** `bare` stands in a row; `m` and `l` are larger. */
  readonly size?: 'bare' | 'm' | 'l';
  /** The name, where no text beside it says it. */
  readonly label?: string;
}

/** The icon of a tool, in the color of the text. */
export function ProviderIcon({ provider, size, label }: ProviderIconProps) {
  const brand = BRANDS[provider];
  return (
    <span class={size === undefined ? 'prov' : `prov ${size}`} title={label}>
      {brand === undefined ? (
        <Icon name={DRAWN[provider] ?? 'custom'} />
      ) : (
        <svg class="brand-i" viewBox="0 0 24 24" aria-hidden="true">
          <path d={brand} />
        </svg>
      )}
      {label !== undefined && <span class="sr">{label}</span>}
    </span>
  );
}
