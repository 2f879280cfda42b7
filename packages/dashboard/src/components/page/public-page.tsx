import type { ComponentChildren } from 'preact';
import { Logo } from '../icons/logo.tsx';
import { useArrival } from './page.tsx';

/** A page outside the dashboard, such as the login: a form beside a picture of the hub. */
export function PublicPage({
  title,
  lede,
  children,
}: {
  title: string;
  lede: string;
  children: ComponentChildren;
}) {
  const heading = useArrival();
  return (
    <div class="door">
      <div class="door-form">
        <header class="brand">
          <Logo /> Hubline
        </header>
        <main class="door-main">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          <p class="lede">{lede}</p>
          {children}
        </main>
        <footer class="door-foot">
          <span>{location.host}</span>
        </footer>
      </div>
      <img class="door-art" src="/door.svg" alt="" />
    </div>
  );
}
