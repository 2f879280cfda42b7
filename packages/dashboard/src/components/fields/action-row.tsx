import type { ComponentChildren } from 'preact';

interface ActionRowProps {
  readonly title: string;
  /** The effect, in a sentence. */
  readonly children: ComponentChildren;
  /** The button. */
  readonly action: ComponentChildren;
}

/** An action with an explanation, and its button at the end. Several go into a `div` of class `card`. */
export function ActionRow({ title, children, action }: ActionRowProps) {
  return (
    <div class="set">
      <div>
        <h3>{title}</h3>
        <p>{children}</p>
      </div>
      {action}
    </div>
  );
}
