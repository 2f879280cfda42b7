import { Page } from '../components/page/page.tsx';

/** An address that leads nowhere, or to a workspace that the person is not in: the two look the same. */
export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <p>The link may be old, or lead to a workspace that you are not in.</p>
      <p>
        <a href="/">Go to your workspace</a>
      </p>
    </Page>
  );
}
