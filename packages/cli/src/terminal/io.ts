import { getSystemErrorMessage, styleText } from 'node:util';
import { EXIT_CODES } from '../errors/exit-codes.ts';

/** Somewhere to write text. */
export interface Output {
  readonly isTTY: boolean;
  /** Width in columns; 80 where there is no terminal. */
  readonly columns: number;
  /** Height in lines; `Infinity` if there is no terminal. */
  readonly rows: number;
  /** True for the null device, which loses everything. Node also opens it in place of a closed stream (`>&-`). */
  readonly discards: boolean;
  /** Resolves when there is room for more. */
  write(text: string | Uint8Array): Promise<void>;
}

/** Piped input. Read only when a command line asks for it with `-`. */
interface InputStream {
  readonly isTTY: boolean;
  bytes(): Promise<Buffer>;
}

/** The three streams of a process, or of a test. */
export interface Io {
  readonly stdin: InputStream;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Sets the lines for stderr in case stdout breaks: what would be lost, and the cure. */
  onLoss(lines: () => readonly string[]): void;
}

/** Colors; without color, they change nothing. */
export type Style = Readonly<Record<'bold' | 'dim' | 'red' | 'green' | 'yellow', (text: string) => string>>;

/**
 * The streams of this process. Each is made when it is first used: together they cost a third of a bare start of Node. `isStopping`
 * reports whether a signal has arrived.
 */
export function processIo(isStopping: () => boolean): Io {
  let lost = (): readonly string[] => [];
  return {
    onLoss: (lines) => {
      lost = lines;
    },
    stdin: {
      get isTTY() {
        return isTerminal(0);
      },
      async bytes() {
        const chunks: Buffer[] = [];
        for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array));
        return Buffer.concat(chunks);
      },
    },
    // `hubline event list | head -1`: the reader has seen enough. The exit code is that of a process killed by SIGPIPE.
    stdout: output(
      1,
      () => process.stdout,
      (error) => {
        // A terminal that was closed. The signal that comes with it lets running work finish.
        if (error.code === 'EIO' && process.stdout.isTTY) {
          if (!isStopping()) process.exit(EXIT_CODES.hung_up.code);
          return;
        }
        const unread = error.code === 'EPIPE';
        // The output is incomplete, most often because a disk is full: that must not look like success.
        const reason = error.errno === undefined ? error.message : getSystemErrorMessage(error.errno);
        const lines = [...(unread ? [] : [`Error: stdout cannot be written: ${reason}.`]), ...lost()];
        if (lines.length > 0) process.stderr.write(`${lines.join('\n')}\n`);
        process.exit(unread ? 141 : 1);
      },
    ),
    stderr: output(
      2,
      () => process.stderr,
      () => undefined,
    ),
  };
}

const isTerminal = (descriptor: number): boolean => process.getBuiltinModule('node:tty').isatty(descriptor);

function output(
  descriptor: 1 | 2,
  open: () => NodeJS.WriteStream,
  onError: (error: NodeJS.ErrnoException) => void,
): Output {
  let opened: NodeJS.WriteStream | undefined;
  const stream = (): NodeJS.WriteStream => (opened ??= open().on('error', onError));
  return {
    // Tested without opening the stream, which costs a millisecond: most streams that are tested are never written to.
    get isTTY() {
      return isTerminal(descriptor);
    },
    // A terminal that does not know its size, such as one of `script` or of some CI machines, says 0.
    get columns() {
      return (isTerminal(descriptor) && stream().columns) || 80;
    },
    get rows() {
      return (isTerminal(descriptor) && stream().rows) || Infinity;
    },
    get discards() {
      const { fstatSync, statSync } = process.getBuiltinModule('node:fs');
      const written = fstatSync(descriptor);
      const nothing = statSync(process.getBuiltinModule('node:os').devNull, { throwIfNoEntry: false });
      return written.isCharacterDevice() && written.rdev === nothing?.rdev;
    },
    write: (text) =>
      new Promise((resolve) => {
        // A slow reader holds up the command, instead of filling the memory.
        if (stream().write(text, () => resolve())) resolve();
      }),
  };
}

/** The color depth, in bits, of a terminal with 256 colors, which are the same everywhere. */
const DEEP = 8;
/**
 * Replaces yellow, which many terminals cannot show on white: xterm's has a contrast of 1.7 there. This one has 3.3 on white and 6.3 on
 * black.
 */
const OCHRE = 136;

/** The style for a stream. Flag wins over environment: `NO_COLOR` (no-color.org), `FORCE_COLOR`, `CLICOLOR_FORCE`. */
export function createStyle(
  out: Output,
  { when, env }: { when: 'auto' | 'always' | 'never'; env: Readonly<Record<string, string | undefined>> },
): Style {
  const set = (name: string): boolean => ![undefined, '', '0'].includes(env[name]);
  const decide = (): boolean => {
    if (when !== 'auto' || env['NO_COLOR']) return when === 'always';
    return set('FORCE_COLOR') || set('CLICOLOR_FORCE') || (out.isTTY && env['TERM'] !== 'dumb');
  };
  let decided: boolean | undefined;
  const enabled = (): boolean => (decided ??= decide());
  // The stream was tested here; styleText would test the process's own.
  const paint = (format: keyof Style) => (text: string) =>
    enabled() ? styleText(format, text, { validateStream: false }) : text;
  // The colors that the terminal can show; the user's wish was decided above.
  const terminal = { ...env, NO_COLOR: undefined, FORCE_COLOR: undefined };
  const isDeep = (): boolean =>
    process.getBuiltinModule('node:tty').WriteStream.prototype.getColorDepth(terminal) >= DEEP;
  const yellow = paint('yellow');
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    green: paint('green'),
    yellow: (text) => (enabled() && isDeep() ? `\u001b[38;5;${OCHRE}m${text}\u001b[39m` : yellow(text)),
  };
}
