import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useContext, useEffect, useRef } from 'preact/hooks';
import { WorkspaceContext } from '../../session/workspace.ts';
import { Icon } from '../icons/icon.tsx';
import { IgnoredParameters } from './ignored-parameters.tsx';

interface PageProps {
  /** The heading, and the title of the window. */
  readonly title: string;
  /** The heading where it is more than text: it must say the same. */
  readonly heading?: ComponentChildren;
  /** An icon before the heading. */
  readonly mark?: ComponentChildren;
  /** A number beside the heading. */
  readonly note?: ComponentChildren;
  /** Buttons at the end of the heading. */
  readonly actions?: ComponentChildren;
  /** The page that this one belongs to. */
  readonly parent?: { readonly label: string; readonly href: string };
  /** Facts below the heading, in a line. */
  readonly meta?: ComponentChildren;
  /** Tabs or filters, which stay in place while the rest scrolls. */
  readonly bar?: ComponentChildren;
  /** `fill` leaves the room below the heading to the children, which scroll by themselves. */
  readonly layout?: 'fill' | undefined;
  readonly children: ComponentChildren;
}

let arrived = false;

/** Gives the focus to the heading of each page, so that a screen reader begins there. The first page of a window needs none. */
export function useArrival(path?: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (arrived) heading.current?.focus({ preventScroll: true });
    arrived = true;
  }, [path]);
  return heading;
}

/** The frame of a page. Render it at once, before its data is there: the focus goes to its heading. */
export function Page({
  title,
  heading: words,
  mark,
  note,
  actions,
  parent,
  meta,
  bar,
  layout,
  children,
}: PageProps) {
  const workspace = useContext(WorkspaceContext);
  const heading = useArrival(useLocation().path);
  useEffect(() => {
    document.title = [title, workspace?.name, 'Hubline'].filter(Boolean).join(' · ');
  }, [title, workspace?.name]);
  return (
    <>
      {parent && (
        <nav class="crumbs" aria-label="Breadcrumb">
          <a href={parent.href}>{parent.label}</a>
          <Icon name="right" size="x" />
          <span class="clip">{title}</span>
        </nav>
      )}
      <header class={meta === undefined ? 'head' : 'head stack'}>
        {mark}
        <h1 ref={heading} tabIndex={-1}>
          {words ?? title}
        </h1>
        {note !== undefined && <span class="sub num">{note}</span>}
        {actions !== undefined && <div class="acts">{actions}</div>}
      </header>
      {meta !== undefined && <div class="head-meta">{meta}</div>}
      <IgnoredParameters />
      {bar}
      {layout === 'fill' ? (
        children
      ) : (
        <div class="scroll" tabIndex={-1}>
          <div class="body">{children}</div>
        </div>
      )}
    </>
  );
}
