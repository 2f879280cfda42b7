import pretty from 'pino-pretty';

/** Lines for people, on standard error, in the same thread: nothing is lost when the process ends. */
export function pinoPretty(): NodeJS.WritableStream {
  return pretty({
    destination: 2,
    sync: true,
    colorize: process.stderr.isTTY,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid,hostname',
  });
}
