import { type Context, Drop, Liquid, type Tag, type Template } from 'liquidjs';
import { nameIssue, type ValueNames } from '../value-names.ts';
import { ESCAPES, type Escaping } from './escaping.ts';
import { plainSyntax } from './plain-syntax.ts';
import { LIMITED_OPERATORS, limitFilters, weigh } from './filter-limits.ts';
import { renderBudgetOf, TEXT_MS } from './render-budget.ts';
import { findLinesOnce } from './token-positions.ts';

// Templates are written by members and filled with data from strangers. So they see no files, no other templates, and only own
// properties of JSON; no data becomes code, and every rendering ends within its limits.

/** The longest template, in characters. */
export const TEMPLATE_MAX = 16_384;
/** The longest rendered text, in characters. */
export const RENDERED_MAX = 65_536;
/** The most unknown values that are named. A response lists no more errors. */
const UNKNOWN_MAX = 20;
// The budget of a set of texts, of which a text may take a part: a value that weighs more fails, so weighing it stops there.
const OUTPUT_MAX = 4_194_304;

/** The values that a template may name: JSON only. */
export type TemplateScope = Readonly<Record<string, unknown>>;

/** The result of filling a template. `error` names the line, and never quotes a value. */
export type Rendered = { ok: true; text: string } | { ok: false; error: string };

/** Tags that read other templates. */
const REMOVED_TAGS = ['include', 'render', 'layout', 'block'];
/** `raw` would switch the escaping off; the others run an expression that may come from an event. */
const REMOVED_FILTERS = [
  'raw',
  'where_exp',
  'reject_exp',
  'group_by_exp',
  'find_exp',
  'find_index_exp',
  'has_exp',
];

const engines = new Map<Escaping, Liquid>();

/** The engine that escapes values in one way, made at its first use: few starts of a server need one. */
function engineFor(escaping: Escaping): Liquid {
  const known = engines.get(escaping);
  if (known) return known;
  const engine = makeEngine(escaping);
  if (engines.size === 0) {
    countTexts(engine);
    findLinesOnce();
  }
  engines.set(escaping, engine);
  return engine;
}

function makeEngine(escaping: Escaping): Liquid {
  const escape = ESCAPES[escaping];
  const engine = new Liquid({
    // No file system: partials are looked up in this map.
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    parseLimit: TEMPLATE_MAX,
    operators: LIMITED_OPERATORS,
    timezoneOffset: 0,
    locale: 'en-US',
    outputEscape(this: unknown, value: unknown) {
      const { context } = this as { context: Context };
      const captured = value instanceof Captured ? value : null;
      // Outputs count too, so that a text that doubles itself ends.
      context.memoryLimit.use(captured ? captured.marked.length : weigh(value, OUTPUT_MAX));
      const text = captured ? captured.marked : textOf(value).replaceAll(MARKS, '');
      if (capturesOf(context).open > 0) return captured ? text : `${BEGIN}${text}${END}`;
      return captured ? text.replaceAll(MARKED, (_, inner: string) => escape(inner)) : escape(text);
    },
  });
  for (const tag of REMOVED_TAGS) delete engine.tags[tag];
  engine.registerTag('capture', captureTag(engine));
  for (const filter of REMOVED_FILTERS) delete engine.filters[filter];
  const date = engine.filters['date'] as (this: unknown, ...input: unknown[]) => unknown;
  // A width in a format, such as `%900000000d`, pads to as many characters.
  engine.registerFilter('date', function (...input: unknown[]) {
    const format = input[1];
    if (typeof format === 'string' && (format.length > 100 || /\d{3}/.test(format)))
      throw new Error('date takes a format of at most 100 characters and widths below 100');
    return date.apply(this, input);
  });
  limitFilters(engine);
  return engine;
}

/** Makes the texts between tags count like outputs, in all engines, because a loop repeats them. liquidjs has no option for it. */
function countTexts(engine: Liquid): void {
  const literal = Object.getPrototypeOf(engine.parse('text')[0]) as {
    render(context: { memoryLimit: { use(count: number): void } }, emitter: unknown): Iterable<unknown>;
  };
  const renderLiteral = literal.render;
  literal.render = function (this: { str: string }, context, emitter) {
    context.memoryLimit.use(this.str.length);
    return renderLiteral.call(this as never, context, emitter);
  };
}

// In a captured text, values are between two characters that no value has. They are escaped once, where the text is printed.
const BEGIN = '\uFDD0';
const END = '\uFDD1';
const MARKS = /[\uFDD0\uFDD1]/g;
const MARKED = /\uFDD0([^\uFDD0\uFDD1]*)\uFDD1/g;

/** A text that `{% capture %}` has made. Filters and comparisons see it as it reads. */
class Captured extends Drop {
  readonly marked: string;

  constructor(marked: string) {
    super();
    this.marked = marked;
  }

  get length(): number {
    return this.valueOf().length;
  }

  get size(): number {
    return this.length;
  }

  toJSON(): string {
    return this.valueOf();
  }

  override valueOf(): string {
    return this.marked.replaceAll(MARKS, '');
  }
}

/** The number of captures that are open. */
const capturesOf = (context: Context) => context.getRegister<{ open: number }>('captures', { open: 0 });

type TagClass = Parameters<Liquid['registerTag']>[1];
type CaptureClass = new (...parts: ConstructorParameters<typeof Tag>) => {
  variable: string;
  render(context: Context): Generator<unknown, void, unknown>;
};

/** `{% capture %}`, whose values are escaped only where the text is printed. */
function captureTag(engine: Liquid): TagClass {
  const Capture = engine.tags['capture'] as unknown as CaptureClass;
  return class extends Capture {
    override *render(context: Context): Generator<unknown, void, unknown> {
      const captures = capturesOf(context);
      captures.open += 1;
      yield* super.render(context);
      captures.open -= 1;
      const scope = context.bottom() as Record<string, unknown>;
      scope[this.variable] = new Captured(String(scope[this.variable]));
    }
  } as unknown as TagClass;
}

/** A value as it is printed: objects and arrays as JSON, so that nobody reads `[object Object]`. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

/**
 * The faults of a template, each with its line and column, counted from 1. A syntax fault hides all others. With `names`, values of other
 * names are faults, too.
 */
export function templateIssues(source: string, names?: ValueNames): string[] {
  if (source.length > TEMPLATE_MAX) return [`must have at most ${TEMPLATE_MAX} characters`];
  const found = (position: string, issue: string) => `has a mistake in ${position}: ${issue}`;
  try {
    const template = engineFor('none').parse(source);
    return names === undefined
      ? []
      : unknownValues(template, names).map((one) => found(one.position, one.issue));
  } catch (error) {
    const { position, issue } = faultOf(error);
    return [found(position, issue)];
  }
}

/** The values of a template that never exist. Variables that it assigns itself do exist. */
function unknownValues(template: Template[], names: ValueNames): Fault[] {
  const { globals } = engineFor('none').analyzeSync(template, { partials: false });
  const faults: Fault[] = [];
  for (const { segments, location } of Object.values(globals).flat()) {
    const issue = nameIssue(segments, names);
    if (issue !== null) faults.push({ issue, position: positionOf(location.row, location.col) });
    if (faults.length === UNKNOWN_MAX) break;
  }
  return faults;
}

/**
 * Fills a template. Escapes the values for the place that the text goes to, and nothing of the template itself. All templates that are
 * filled from the same `scope` share one budget of time and memory.
 */
export function renderTemplate(source: string, scope: TemplateScope, escaping: Escaping = 'none'): Rendered {
  try {
    const text = renderBudgetOf(scope).render(engineFor(escaping), source, scope);
    // The length is known before the text is put together.
    if (text.length > RENDERED_MAX)
      return { ok: false, error: `the rendered text is longer than ${RENDERED_MAX} characters` };
    // PostgreSQL stores no NUL.
    return { ok: true, text: text.toWellFormed().replaceAll('\0', '') };
  } catch (error) {
    const { issue, position } = faultOf(error);
    return { ok: false, error: `${position}: ${issue}` };
  }
}

interface Fault {
  issue: string;
  /** Its line and column. */
  position: string;
}

const positionOf = (line: number, column: number) => `line ${line}, column ${column}`;

/** The messages of the limits of the engine and of V8 → the rule and the cure. */
const EXCEEDED: Readonly<Record<string, string>> = {
  'parse length limit exceeded': `must have at most ${TEMPLATE_MAX} characters`,
  'template render limit exceeded': `takes longer than ${TEXT_MS} ms to render, or too long together with the other texts; loop over fewer items`,
  'memory alloc limit exceeded':
    'renders too much text or too many items, alone or together with the other texts; loop over fewer items',
  'Invalid string length': 'renders too much text; loop over fewer items',
  'Maximum call stack size exceeded': 'its tags are nested too deeply; nest fewer',
};

function faultOf(error: unknown): Fault {
  const { message = '', token } = error as {
    message?: string;
    token?: { getPosition?: () => [number, number] };
  };
  const [line, column] = token?.getPosition?.() ?? [1, 1];
  const said = message.replace(/, line:\d+, col:\d+[^]*$/, '');
  const { tags, filters } = engineFor('none');
  return {
    issue: EXCEEDED[said] ?? plainSyntax(said, { tags: Object.keys(tags), filters: Object.keys(filters) }),
    position: positionOf(line, column),
  };
}
