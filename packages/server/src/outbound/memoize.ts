// More than are in use at one time.
const KEPT = 1_000;

/**
 * Makes a function of a text cache its results, which must not be changed. When there are too many, all are dropped.
 */
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
