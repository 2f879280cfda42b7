let turn = 0;
let ends = false;

/**
 * The number of the current turn of the event loop: while it stays the same, nothing has waited for the network or a
 * timer.
 */
export function loopTurn(): number {
  if (!ends) {
    ends = true;
    setImmediate(endTurn);
  }
  return turn;
}

function endTurn(): void {
  ends = false;
  turn += 1;
}
