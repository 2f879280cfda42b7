import { LIMITS } from '@hubline/contract/constants';
import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Host } from '../host.ts';
import { visibleDocument } from '../terminal/text.ts';
import { type CallResult, type Send, noResponse } from './forward.ts';

/** The longest wait for the rest of the output of a command that has ended: a process that it left in the background may keep it open. */
const OUTPUT_MS = 1_000;

/** The time to end after SIGTERM. No event reports the end of a group. */
const END_MS = 2_000;
const POLL_MS = 20;

/** The longest line of output that is kept until it ends, in characters. */
const MAX_LINE = 65_536;

/** On Windows, a process has no group, and `detached` opens a window. */
const HAS_GROUPS = process.platform !== 'win32';

/** A sender to a command of the shell: the body on stdin, the headers in the environment, exit code 0 is success. */
export function runCommand(command: string, { io, env }: Pick<Host, 'io' | 'env'>): Send {
  return (body, headers, signal) => {
    // The call has waited until the end of this command. Nothing would end what it starts now.
    if (signal.aborted) return Promise.resolve(noResponse('cut off'));
    return new Promise<CallResult>((resolve) => {
      const stop = AbortSignal.any([signal, AbortSignal.timeout(LIMITS.attemptTimeoutMs)]);
      const child = spawn(command, {
        shell: true,
        // The command's output goes to stderr, because stdout is for data.
        stdio: ['pipe', 'pipe', 'inherit'],
        env: { ...env, ...variables(headers) },
        // A group of its own, which ends as a whole: the shell may have started other programs.
        detached: HAS_GROUPS,
      });
      // Nothing that it started may outlive this command.
      const end = async (): Promise<void> => {
        if (child.pid !== undefined) await (HAS_GROUPS ? endGroup : endTree)(child.pid);
        flush();
        const late = `did not end within ${LIMITS.attemptTimeoutMs / 1_000} seconds`;
        resolve(noResponse(signal.aborted ? 'cut off' : late));
      };
      const onAbort = (): void => void end();
      stop.addEventListener('abort', onAbort);
      const kept: Buffer[] = [];
      let size = 0;
      const characters = new StringDecoder('utf8');
      let begun = '';
      const flush = (): void => {
        void io.stderr.write(visibleDocument(begun));
        begun = '';
      };
      child.stdout.on('data', (chunk: Buffer) => {
        if (size < LIMITS.responseKeepBytes) kept.push(chunk);
        size += chunk.length;
        // Several commands run at the same time: whole lines, so that one does not end up in the middle of another's.
        const text = begun + characters.write(chunk);
        const end = text.length > MAX_LINE ? text.length : text.lastIndexOf('\n') + 1;
        begun = text.slice(end);
        child.stdout.pause();
        void io.stderr.write(visibleDocument(text.slice(0, end))).then(() => child.stdout.resume());
      });
      // A command that does not read its input is not a failure.
      child.stdin.on('error', () => undefined);
      child.stdin.end(body);
      child.once('error', (error) => resolve(noResponse(error.message)));
      child.once('exit', (code, ended) => {
        stop.removeEventListener('abort', onAbort);
        if (stop.aborted) return;
        const settle = (): void => {
          clearTimeout(timer);
          flush();
          // Output that is still open must not keep this command from ending.
          (child.stdout as Socket).unref();
          const text = Buffer.concat(kept).subarray(0, LIMITS.responseKeepBytes).toString('utf8');
          const error = ended === null ? null : `ended by ${ended}`;
          resolve({ status: code, ok: code === 0, error, headers: null, body: text });
        };
        const timer = setTimeout(settle, OUTPUT_MS);
        child.once('close', settle);
      });
    });
  };
}

/** Ends all processes of a group: asks them to, and soon kills those that are left. */
async function endGroup(leader: number): Promise<void> {
  const isLeft = (signal: 'SIGTERM' | 'SIGKILL' | 0): boolean => {
    try {
      return process.kill(-leader, signal);
    } catch {
      return false;
    }
  };
  if (!isLeft('SIGTERM')) return;
  for (let waited = 0; waited < END_MS && isLeft(0); waited += POLL_MS) await sleep(POLL_MS);
  isLeft('SIGKILL');
}

/** Ends a process of Windows and all that it has started, at once: Windows has no SIGTERM. */
function endTree(root: number): Promise<void> {
  return new Promise((resolve) => {
    spawn('taskkill', ['/pid', String(root), '/t', '/f'], { stdio: 'ignore', windowsHide: true })
      .once('error', () => resolve())
      .once('close', () => resolve());
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
