import { unknownName } from '../faults/unknown-name.ts';

/** The names that a template may use. */
interface Known {
  tags: readonly string[];
  filters: readonly string[];
}

type Plain = (known: Known, ...parts: string[]) => string;

const FOR = '{% for item in event.payload.items %}';

/** The errors of the parser of liquidjs, for people who write a template: what is wrong, and what to write instead. */
const SYNTAX: readonly (readonly [said: RegExp, plain: Plain])[] = [
  [/^output .* not closed$/s, () => '{{ is never closed; end it with }}'],
  [/^tag "\{%.* not closed$/s, () => '{% is never closed; end it with %}'],
  [/^raw .* not closed$/s, () => '{% raw %} is never closed; end it with {% endraw %}'],
  [
    /^tag \{%-?\s*(\w+).* not closed$/s,
    (_, tag) => `{% ${tag} %} is never closed; end it with {% end${tag} %}`,
  ],
  [
    /^tag "(else|elsif|when)" not found$/,
    (_, tag) => `{% ${tag} %} is outside of {% if %}, {% unless %} and {% case %}`,
  ],
  [/^tag "(.*)" not found$/s, unknownTag],
  [
    /^undefined filter: (.*)$/s,
    ({ filters: known }, name = '') => `${name} ${unknownName(name, { known, noun: 'filter' })}`,
  ],
  [/^illegal tag: \{%-?\s*for\b/, () => `{% for %} must be written like ${FOR}`],
  [
    /^illegal tag: \{%-?\s*tablerow\b/,
    () => `{% tablerow %} must be written like ${FOR.replace('for', 'tablerow')}`,
  ],
  [
    /^invalid value expression|value expected$/,
    () => 'a value is missing; write a name such as event.type, a number, or a string in quotes',
  ],
  [
    /^expected variable name$|^expected "="$/,
    () => '{% assign %} must be written like {% assign title = event.type %}',
  ],
  [/^invalid capture name$/, () => '{% capture %} must be written like {% capture title %}'],
  [/^empty candidates/, () => '{% cycle %} must be written like {% cycle "odd", "even" %}'],
  [/^\[ not closed$/, () => '[ is never closed; end it with ]'],
  [
    /^expected "\|" before filter$/,
    () => 'only a filter can follow a value, such as | upcase; for arithmetic, use filters such as | plus: 1',
  ],
  [/^expected filter name$/, () => 'the name of a filter must follow |, such as upcase'],
  [
    /^expected ":" after filter name$/,
    () => 'a colon must stand between a filter and its value, such as | truncate: 80',
  ],
  [/^unexpected character (.*)$/s, (_, text) => `${text} does not belong here; remove it`],
  [
    /^invalid range syntax$|^unbalanced parentheses$/,
    () => 'parentheses are only for ranges, and must be written like (1..5)',
  ],
  [
    /^duplicated else$|^unexpected elsif after else$/,
    () => '{% else %} must come once, as the last part of its {% if %}',
  ],
  [/^illegal tag syntax|^illegal liquid tag syntax/, () => 'the name of a tag must follow {%, such as if'],
];

/** An error of liquidjs in plain words. Those that the parser does not make stay as they are. */
export function plainSyntax(said: string, known: Known): string {
  for (const [pattern, plain] of SYNTAX) {
    const match = pattern.exec(said);
    if (match) return plain(known, ...match.slice(1));
  }
  return said;
}

function unknownTag({ tags: known }: Known, name = ''): string {
  const opening = /^end(.+)$/.exec(name)?.[1];
  if (opening !== undefined && known.includes(opening))
    return `{% ${name} %} closes nothing; remove it, or write {% ${opening} … %} before it`;
  return `${name} ${unknownName(name, { known, noun: 'tag' })}`;
}
