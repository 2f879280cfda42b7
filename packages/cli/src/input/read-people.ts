import { isEmail, ROLES, storedEmail } from '@hubline/contract/constants';
import type { Role } from '@hubline/contract/types';
import type { Context } from '../context.ts';
import { cutQuote } from '../errors/cut-long.ts';
import { usageError } from '../errors/errors.ts';
import { readText } from './read-input.ts';

/** A line of a list of people. */
export interface Person {
  /** The line in the file, or the place in a JSON list, from 1. */
  readonly line: number;
  readonly email: string;
  readonly role: Role | undefined;
  /** The problem with this line. The other lines are still used. */
  readonly problem: string | undefined;
}

interface Row {
  readonly line: number;
  readonly email: unknown;
  readonly role: unknown;
}

/**
 * People from a file or stdin: CSV with a header that names `email` and perhaps `role`, addresses one per line, a JSON list, or one
 * JSON document per line. Other columns are ignored, so that the output of `member export` can be read.
 */
export async function readPeople(ctx: Context, source: string, flag: string): Promise<Person[]> {
  const text = await readText(ctx, source, flag);
  const rows = await rowsOf(text, flag);
  if (rows.length === 0)
    throw usageError(
      `${flag} ${source} contains no addresses.`,
      'Write one address per line, or CSV with the columns email and role.',
    );
  const seen = new Set<string>();
  return rows.map(({ line, email, role }) => {
    // In the server's spelling, so that an import does not take one person for two.
    const address = typeof email === 'string' ? storedEmail(email) : '';
    const wanted = typeof role === 'string' ? role.trim().toLowerCase() : role;
    const known = ROLES.find((each) => each === wanted);
    const problem = problemOf({
      address,
      role: wanted,
      known: known !== undefined,
      twice: seen.has(address),
    });
    seen.add(address);
    return { line, email: address, role: known, problem };
  });
}

function problemOf(row: {
  address: string;
  role: unknown;
  known: boolean;
  twice: boolean;
}): string | undefined {
  if (!isEmail(row.address)) return `"${cutQuote(row.address)}" is not an email address`;
  if (row.twice) return `${row.address} is in the file twice`;
  const given = row.role !== undefined && row.role !== null && row.role !== '';
  if (given && !row.known) return `there is no role "${cutQuote(String(row.role))}" (${ROLES.join(', ')})`;
  return undefined;
}

function rowsOf(text: string, flag: string): Row[] | Promise<Row[]> {
  const [first] = text.trimStart();
  if (first === '[') return listRows(text, flag);
  return first === '{' ? jsonRows(text) : csvRows(text, flag);
}

function listRows(text: string, flag: string): Row[] {
  try {
    return (JSON.parse(text) as unknown[]).map((item, index) => rowOf(item, index + 1));
  } catch (error) {
    throw usageError(`${flag} is not JSON: ${(error as Error).message}.`, 'Check the list.');
  }
}

function rowOf(item: unknown, line: number): Row {
  const { email, role } = Object(item) as { email?: unknown; role?: unknown };
  return { line, email, role };
}

function jsonRows(text: string): Row[] {
  return text.split('\n').flatMap((content, index): Row[] => {
    if (content.trim() === '') return [];
    try {
      return [rowOf(JSON.parse(content), index + 1)];
    } catch {
      return [{ line: index + 1, email: content.trim().slice(0, 40), role: undefined }];
    }
  });
}

async function csvRows(text: string, flag: string): Promise<Row[]> {
  const parsed = await parseCsv(text, flag);
  const [head] = parsed;
  const names = head?.record.map((name) => name.toLowerCase()) ?? [];
  const headed = names.includes('email');
  const at = { email: headed ? names.indexOf('email') : 0, role: headed ? names.indexOf('role') : 1 };
  return (headed ? parsed.slice(1) : parsed).map(({ record, info }) => ({
    line: info.lines,
    // An export puts a quote in front of text that looks like a formula; see the CSV of exports.
    email: record[at.email]?.replace(/^'/, ''),
    role: record[at.role],
  }));
}

async function parseCsv(
  text: string,
  flag: string,
): Promise<{ record: string[]; info: { lines: number } }[]> {
  const { parse } = await import('csv-parse/sync');
  const [head = ''] = text.trimStart().split('\n', 1);
  try {
    // With `info`, which its types leave out, each record comes with its line.
    const records: unknown = parse(text, {
      info: true,
      // Spreadsheets write semicolons where a comma is the decimal mark.
      delimiter: head.includes(';') && !head.includes(',') ? ';' : ',',
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
    return records as { record: string[]; info: { lines: number } }[];
  } catch (error) {
    throw usageError(`${flag} is not CSV: ${(error as Error).message}.`, 'Check the quotes of that line.');
  }
}
