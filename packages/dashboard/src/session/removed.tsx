/** Shown when the person was removed from the workspace while it was open. */
export function Removed({ name }: { name: string }) {
  return (
    <main class="alone">
      <h1>You are no longer in {name}</h1>
      <p role="alert">You were removed, or the workspace was deleted. Ask its owner for an invitation.</p>
      <p>
        <a href="/">Go to your workspaces</a>
      </p>
    </main>
  );
}
