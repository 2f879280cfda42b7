import { Token } from 'liquidjs';

/** The text that was asked about last, and the beginnings of its lines. */
let known = { text: '', starts: [0] };

function startsOf(text: string): readonly number[] {
  if (known.text === text) return known.starts;
  const starts = [0];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  known = { text, starts };
  return starts;
}

/** The line and the column of a place in a text, both from 1. */
export function positionIn(text: string, place: number): [line: number, column: number] {
  const starts = startsOf(text);
  let line = 1;
  let after = starts.length + 1;
  while (after - line > 1) {
    const middle = Math.floor((line + after) / 2);
    if ((starts[middle - 1] ?? 0) <= place) line = middle;
    else after = middle;
  }
  return [line, place - (starts[line - 1] ?? 0) + 1];
}

/** Finds the lines of a text once. liquidjs counts them for each name, which took a second for a template whose texts have thousands. */
export function findLinesOnce(): void {
  Token.prototype.getPosition = function position() {
    return positionIn(this.input, this.begin);
  };
}
