/** The names that others have replaced (docs/glossary.md), as patterns. Data of check-words.ts, which refuses them. */

/** A word that was replaced → the word to use. Only words that mean nothing else here; one after a dot is a method of a library. */
export const REPLACED: Readonly<Record<string, string>> = {
  'rosters?': 'scheduler',
  'lanes?': 'webhook queue, or slot',
  // PostgreSQL has synchronous_standby_names.
  'standby(?!·names)|unstand|admissions?': 'prefetch buffer',
  'pacers?': 'rate limiter',
  tenancy: 'access',
  'categor(?:y|ies)': 'type (of an event)',
  'free places?|takes? a place|gives? back the place': 'permit',
  'crash[- ]recovery': 'restart',
  'e-mails?|an? mail(?! (?:server|program|client|scanner))': 'email',
  'log-ins?': 'login, or log in',
  '(?:colo|behavio|neighbo|favo|hono)u(?:rs?|red)': 'one without the u',
  '(?:judg|acknowledg)ements?': 'judgment, acknowledgment',
  '(?:dial|label|model|signal|travel)l(?:ed|ing)': 'one l',
  'catalogues?|centres?|metres?|licences?|defences?': 'catalog, center, meter, license, defense',
  '(?:recogni|normali|seriali|summari|initiali|organi|authori|optimi|minimi|prioriti)s(?:e[ds]?|ing|ation)':
    '-ize, -ization',
  '(?-i:(?:an?|the|its|by|with) ids?)(?= [a-z]|[,.;:])': 'ID',
  '\\d+ %(?= |$|[.,;)])': 'the sign without a space',
  // The API has the value `cancelled` (docs/decisions/ids-time-text.md). A provider may send the other, as a key of a table.
  'cancel(?:ed(?!: )|ing)': 'two l',
};

/** The same for names that the server's code declares: elsewhere, and in prose, these words mean other things. */
export const REPLACED_NAMES: Readonly<Record<string, string>> = {
  'emit\\w*': 'fanOut',
  'lines?(?:first|again)?': 'webhook queue; its parts: initial, retry',
  '(?:tell|learn|notice)\\w*|news': 'fire, notify, describe, record, store; occurrence, notification trigger',
  'turns?': 'round robin, or permit',
  'places?|hold': 'permit, limit, address, path or position',
  'hot\\w*|remembered\\w*': 'prepared query, or cached query',
  'notes?': 'request log, or what is stored',
};
