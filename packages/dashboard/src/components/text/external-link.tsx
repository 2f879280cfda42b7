import type { ComponentChildren } from 'preact';
import { Icon } from '../icons/icon.tsx';

/** A link to another site, from a payload. It is plain text unless it is http(s), and the site gets no referrer. */
export function ExternalLink(props: { href: string | null; children: ComponentChildren }) {
  const { href, children } = props;
  const url = URL.parse(href ?? '');
  if (!url || !/^https?:$/.test(url.protocol)) return <>{children}</>;
  return (
    <a class="link out" href={url.href} target="_blank" rel="noreferrer noopener" title={url.href}>
      {children} <Icon name="out" size="x" />
      <span class="sr"> (opens in a new window)</span>
    </a>
  );
}
