import { CopyButton } from './copy-button.tsx';

/** An ID, to read and to copy; with `href` a link to what it names. */
export function Id({ value, href }: { value: string; href?: string }) {
  return (
    <span class="id mono">
      {href === undefined ? (
        <span title={value}>{value}</span>
      ) : (
        <a class="link" href={href}>
          {value}
        </a>
      )}
      <CopyButton text={value} label={`Copy ${value}`} />
    </span>
  );
}
