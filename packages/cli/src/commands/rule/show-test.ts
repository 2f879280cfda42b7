import type { RuleTestResult } from '@hubline/contract/types';
import type { Screen } from '../../output/screen.ts';
import { labeled } from '../../output/stats.ts';
import type { Style } from '../../terminal/io.ts';
import { verdictLines } from '../../output/formats/verdicts.ts';

/** A dry run on a terminal: whether the event matches, the value that each condition found, where the message would go, and its text. */
export function showTest(result: RuleTestResult, screen: Screen): string {
  const { style } = screen;
  const { event_id: event, matched, refused_by: refused, rendered, destinations } = result;
  const line = labeled(screen);
  const verdict = matched ? style.green('matches') : style.red(`does not match: ${refused ?? ''}`);
  return [
    `${event ?? 'A sample event'} ${verdict}. Nothing was sent.\n`,
    verdictLines(result.conditions, style),
    ...destinations.map((destination) => line('to', destinationText(destination, style))),
    destinations.length === 0 ? line('to', 'nobody') : '',
    result.send_at === null ? '' : line('at', result.send_at),
    result.dedupe_key === null ? '' : line('dedupe key', result.dedupe_key),
    ...rendered.problems.map(({ field, issue }) => style.red(`${field}: ${issue}\n`)),
    `\n${style.bold(rendered.subject)}\n${rendered.text.trimEnd()}\n`,
  ].join('');
}

const destinationText = (
  { kind, to, problem }: RuleTestResult['destinations'][number],
  style: Style,
): string => `${kind} ${to}${problem === null ? '' : style.red(`: ${problem}`)}`;
