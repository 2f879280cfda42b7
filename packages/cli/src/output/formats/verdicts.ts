import type { ConditionVerdict } from '@hubline/contract/types';
import type { Style } from '../../terminal/io.ts';

/** A line for each comparison of conditions: whether it holds, and the value that it found. */
export const verdictLines = (list: readonly ConditionVerdict[] | null, style: Style): string =>
  (list ?? [])
    .map(({ field, op, found, matched, note }) => {
      const mark = matched ? style.green('yes') : style.red('no ');
      return `  ${mark} ${field} ${op}${style.dim(`: found ${note ?? found ?? 'nothing'}`)}\n`;
    })
    .join('');
