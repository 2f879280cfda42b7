// Enough for what is in use at a time.
const KEPT = 1_000;

/** A function of a text that keeps its answers, which must not be changed. Where they become too many, all are forgotten. */
export function memoize<Answer>(make: (text: string) => Answer): (text: string) => Answer {
  const answers = new Map<string, Answer>();
  return (text) => {
    let answer = answers.get(text);
    if (answer === undefined) {
      if (answers.size >= KEPT) answers.clear();
      answers.set(text, (answer = make(text)));
    }
    return answer;
  };
}
