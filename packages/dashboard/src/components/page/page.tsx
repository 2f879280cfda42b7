import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useContext, useEffect, useRef } from 'preact/hooks';
import { WorkspaceContext } from '../../session/workspace.ts';

interface PageProps {
  /** The heading, and the title of the window. */
  readonly title: string;
  readonly description?: ComponentChildren;
  /** Buttons at the end of the heading. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

let arrived = false;

/** The frame of a page. Render it at once, before its data is there: the focus goes to its heading. */
export function Page({ title, description, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const workspace = useContext(WorkspaceContext);
  const { path } = useLocation();
  useEffect(() => {
    document.title = [title, workspace?.name, 'Hubline'].filter(Boolean).join(' · ');
  }, [title, workspace?.name]);
  useEffect(() => {
    // When the window opens, the browser itself begins at the top.
    if (arrived) heading.current?.focus({ preventScroll: true });
    arrived = true;
  }, [path]);
  return (
    <div class="page">
      <div class="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {description !== undefined && <p>{description}</p>}
        </div>
        {actions !== undefined && <div class="row">{actions}</div>}
      </div>
      {children}
    </div>
  );
}
