import { Component, type ComponentChildren } from 'preact';
import { ErrorPanel } from '../components/page/error-panel.tsx';

interface Props {
  readonly children: ComponentChildren;
}

/** Shows the error of a page that crashed, instead of an empty window. */
export class CrashBoundary extends Component<Props, { error: unknown }> {
  override state = { error: undefined as unknown };

  override componentDidCatch(error: unknown): void {
    this.setState({ error });
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return (
      <main class="alone">
        <h1>Something went wrong on this page</h1>
        <ErrorPanel of={{ ...this.state, reload: () => location.reload() }} />
      </main>
    );
  }
}
