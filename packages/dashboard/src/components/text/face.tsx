const COLORS = ['a', 'b', 'c', 'd'] as const;

/** A person as two letters in a circle, always in the same color. Decoration: the name stands beside it. */
export function Face({ name, small = false }: { name: string; small?: boolean }) {
  const [user = name] = name.split('@');
  const words = user.split(/[\s._-]+/).filter(Boolean);
  const letters = words.length > 1 ? `${words[0]?.[0]}${words.at(-1)?.[0]}` : user.slice(0, 2);
  const sum = [...name].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return (
    <span class={`face ${COLORS[sum % COLORS.length]}${small ? ' s' : ''}`} aria-hidden="true">
      {letters.toUpperCase()}
    </span>
  );
}
