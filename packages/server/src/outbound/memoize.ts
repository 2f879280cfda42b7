// More than are in use at one time.
const KEPT = 1_000;

/**
 * Makes a function of a text cache its results, which callers must not change. When there are too many, all are dropped.
 */
export function memoize<Result>(make: (text: string) => Result): (text: string) => Result {
  const results = new Map<string, Result>();
  return (text) => {
    let result = results.get(text);
    if (result === undefined) {
      if (results.size >= KEPT) results.clear();
      results.set(text, (result = make(text)));
    }
    return result;
  };
}
