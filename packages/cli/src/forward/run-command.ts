import { LIMITS } from '@hubline/contract/constants';
import { spawn } from 'node:child_process';
import type { Host } from '../host.ts';
import { visibleLines } from '../terminal/text.ts';
import { type CallResult, type Send, noResponse } from './forward.ts';

/** A sender to a command of the shell: the body on stdin, the headers in the environment, exit code 0 is success. */
export function runCommand(command: string, { io, env }: Pick<Host, 'io' | 'env'>): Send {
  return (body, headers, signal) =>
    new Promise<CallResult>((resolve) => {
      const stop = AbortSignal.any([signal, AbortSignal.timeout(LIMITS.attemptTimeoutMs)]);
      const child = spawn(command, {
        shell: true,
        // The command's output goes to stderr, because stdout is for data.
        stdio: ['pipe', 'pipe', 'inherit'],
        env: { ...env, ...variables(headers) },
        signal: stop,
      });
      const chunks: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        void io.stderr.write(visibleLines(chunk.toString('utf8')));
      });
      // A command that does not read its input is not a failure.
      child.stdin.on('error', () => undefined);
      child.stdin.end(body);
      child.once('error', (error) =>
        resolve(
          noResponse(
            stop.aborted && !signal.aborted
              ? `did not end within ${LIMITS.attemptTimeoutMs / 1_000} seconds`
              : error.message,
          ),
        ),
      );
      child.once('close', (code, ended) => {
        const text = Buffer.concat(chunks).subarray(0, LIMITS.responseKeepBytes).toString('utf8');
        const error = ended === null ? null : `ended by ${ended}`;
        resolve({ status: code, ok: code === 0, error, headers: null, body: text });
      });
    });
}

/** `X-Service-Event: push` as `HUBLINE_HEADER_X_SERVICE_EVENT=push`. */
function variables(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      `HUBLINE_HEADER_${name.toUpperCase().replaceAll('-', '_')}`,
      value,
    ]),
  );
}
