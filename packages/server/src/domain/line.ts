/**
 * The two queues of open deliveries: those that have not been attempted yet, and those that are to be sent again. They wait apart,
 * so that what failed does not keep what is new waiting.
 */
export type Line = 'first' | 'again';

export const LINES: readonly Line[] = ['first', 'again'];

export const lineOf = ({ status }: { status: string }): Line => (status === 'pending' ? 'first' : 'again');
