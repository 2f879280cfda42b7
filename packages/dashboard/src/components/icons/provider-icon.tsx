import { Icon, type IconName } from './icon.tsx';

/** Tools whose logos come from Simple Icons (CC0); brands.css has each as a mask. */
const BRANDS: readonly string[] = ['discord', 'github', 'gitlab', 'jira', 'linear', 'notion'];

/** Tools whose logos may not be used get a neutral drawing. */
const DRAWN: Readonly<Record<string, IconName>> = { slack: 'slack', teams: 'teams' };

interface ProviderIconProps {
  /** A provider, or the source of an event. */
  readonly provider: string;
  /** `bare` is for rows; `m` and `l` are larger. */
  readonly size?: 'bare' | 'm' | 'l';
  /** The name, where no text beside it says it. */
  readonly label?: string;
}

/** The icon of a tool, in the color of the text. */
export function ProviderIcon({ provider, size, label }: ProviderIconProps) {
  return (
    <span class={size === undefined ? 'prov' : `prov ${size}`} title={label}>
      {BRANDS.includes(provider) ? (
        <span class={`brand-i b-${provider}`} aria-hidden="true" />
      ) : (
        <Icon name={DRAWN[provider] ?? 'custom'} />
      )}
      {label !== undefined && <span class="sr">{label}</span>}
    </span>
  );
}
