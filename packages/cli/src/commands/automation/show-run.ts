import type { AutomationRunDetail, AutomationTestResult } from '@hubline/contract/types';
import { paintStatus } from '../../output/formats/columns.ts';
import { duration } from '../../output/time.ts';
import type { Screen } from '../../output/screen.ts';
import type { Style } from '../../terminal/io.ts';
import { verdictLines } from '../../output/formats/verdicts.ts';

/** A run on a terminal: its status, and below it each step with its request and response. */
export function showRun(run: AutomationRunDetail, { style }: Screen): string {
  const { id, status, automation_name: name, trigger, event_id: event, created_at: created, error } = run;
  const took = run.duration_ms === null ? '' : `, took ${duration(run.duration_ms)}`;
  const steps = run.steps.map((step) => {
    const { action_id: action, type, attempt } = step;
    const attempts = attempt > 1 ? `, ${attempt} attempts` : '';
    return [
      `\n${style.bold(action)} ${style.dim(type)}  ${paintStatus(step.status, style)}${attempts}\n`,
      step.error === null ? '' : `  ${style.red(step.error)}\n`,
      json('request', step.request, style),
      json('response', step.response, style),
    ].join('');
  });
  return [
    `${style.bold(name)}  ${paintStatus(status, style)}${took}\n`,
    error === null ? '' : `${style.red(error)}\n`,
    `${style.dim(`${id}, ${created}, by ${event ?? trigger}`)}\n`,
    ...(run.resume_at === null ? [] : [`${style.dim(`continues at ${run.resume_at}`)}\n`]),
    ...steps,
  ].join('');
}

/** A dry run on a terminal: whether the event starts a run, the value that each condition found, and what each step would do. */
export function showTest(result: AutomationTestResult, { style }: Screen): string {
  const { event_id: event, matched, refused_by: refused, concurrency_key: key, results_of: run } = result;
  const verdict = matched ? style.green('starts a run') : style.red(`starts no run: ${refused ?? ''}`);
  const steps = result.steps.map((step) =>
    [
      `\n${style.bold(step.action_id)} ${style.dim(step.type)}${step.runs ? '' : `  ${style.yellow('left out')}`}\n`,
      verdictLines(step.conditions, style),
      step.error === null ? '' : `  ${style.red(step.error)}\n`,
      json('would send', step.request, style),
    ].join(''),
  );
  return [
    `${event ?? 'This event'} ${verdict}. Nothing was sent.\n`,
    key === null ? '' : `${style.dim(`concurrency key ${key}`)}\n`,
    run === null ? '' : `${style.dim(`results of steps as in ${run}`)}\n`,
    verdictLines(result.conditions, style),
    ...steps,
  ].join('');
}

const json = (label: string, value: unknown, style: Style): string =>
  value === null ? '' : `  ${style.dim(label)} ${JSON.stringify(value, null, 2).replaceAll('\n', '\n  ')}\n`;
