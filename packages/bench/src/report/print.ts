import type { Goal, Result, Table } from './result.ts';

/** Tables, notes and figures with their goals, for people. */
export function renderResult({ tables, notes, figures, goals }: Result): string {
  const rows = Object.entries(figures).map(([key, value]) => {
    const goal = goals[key];
    return [key, value, goal ? describe(goal) : '', goal ? (meets(goal, value) ? 'met' : 'MISSED') : ''];
  });
  const summary: Table = { title: 'Figures', columns: ['key', 'value', 'goal', ''], rows };
  return [...tables, summary]
    .map(renderTable)
    .concat(notes.map((note) => `Note: ${note}`))
    .join('\n\n');
}

function renderTable({ title, columns, rows }: Table): string {
  const cells = [columns, ...rows].map((row) => row.map(text));
  const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const numeric = columns.map((_, column) => typeof rows[0]?.[column] === 'number');
  const lines = cells.map((row) =>
    row
      .map((cell, column) =>
        numeric[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  return [title, ...lines.map((line) => `  ${line}`)].join('\n');
}

/** Rounds numbers to three digits: the rounds of a benchmark do not agree on more. */
function text(cell: string | number): string {
  if (typeof cell === 'string') return cell;
  return Math.abs(cell) >= 100 ? String(Math.round(cell)) : String(Number(cell.toPrecision(3)));
}

const describe = (goal: Goal) => ('atLeast' in goal ? `>= ${text(goal.atLeast)}` : `<= ${text(goal.atMost)}`);
const meets = (goal: Goal, value: number) =>
  'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
