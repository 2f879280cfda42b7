import type { ComponentChildren } from 'preact';
import { Mark } from '../icons/mark.tsx';
import { MARKS } from '../text/status.tsx';

interface NoticeProps {
  readonly tone: 'bad' | 'warn' | 'ok';
  readonly title?: ComponentChildren;
  /** The cause, and the cure. */
  readonly children: ComponentChildren;
  /** Buttons that cure it. */
  readonly actions?: ComponentChildren;
}

/** Something that a person should know before anything else on the page. Screen readers announce warnings and errors. */
export function Notice({ tone, title, children, actions }: NoticeProps) {
  return (
    <div class={`notice ${tone}`} role={tone === 'ok' ? undefined : 'alert'}>
      <Mark name={MARKS[tone]} />
      <div class="stack" data-gap="xs">
        {title !== undefined && <h2>{title}</h2>}
        {children}
      </div>
      {actions !== undefined && <div class="acts">{actions}</div>}
    </div>
  );
}
