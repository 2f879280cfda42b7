import { styleText } from 'node:util';

/** Somewhere to write text. */
export interface Output {
  readonly isTTY: boolean;
  /** Width in columns; 80 where there is no terminal. */
  readonly columns: number;
  /** Resolves when there is room for more. */
  write(text: string): Promise<void>;
}

/** Where piped input comes from. Read only when a command line asks for it with `-`. */
export interface InputStream {
  readonly isTTY: boolean;
  bytes(): Promise<Buffer>;
}

/** The three streams of a process, or of a test. */
export interface Io {
  readonly stdin: InputStream;
  readonly stdout: Output;
  readonly stderr: Output;
}

/** Colours, which do nothing where there is none. */
export type Style = Readonly<
  Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', (text: string) => string>
>;

/** The streams of this process. */
export function processIo(): Io {
  return {
    stdin: {
      isTTY: process.stdin.isTTY,
      async bytes() {
        const chunks: Buffer[] = [];
        for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array));
        return Buffer.concat(chunks);
      },
    },
    stdout: output(process.stdout),
    stderr: output(process.stderr),
  };
}

function output(stream: NodeJS.WriteStream): Output {
  return {
    isTTY: stream.isTTY,
    get columns() {
      return stream.columns ?? 80;
    },
    write: (text) =>
      new Promise((resolve) => {
        // A reader that is slower than the command holds it up, instead of filling the memory.
        if (stream.write(text)) resolve();
        else stream.once('drain', resolve);
      }),
  };
}

/** The style for a stream. Flag wins over environment: `NO_COLOR` (no-color.org), `FORCE_COLOR`, `CLICOLOR_FORCE`. */
export function createStyle(
  out: Output,
  { when, env }: { when: 'auto' | 'always' | 'never'; env: Readonly<Record<string, string | undefined>> },
): Style {
  const set = (name: string): boolean => ![undefined, '', '0'].includes(env[name]);
  const automatic = set('FORCE_COLOR') || set('CLICOLOR_FORCE') || (out.isTTY && env['TERM'] !== 'dumb');
  const enabled = when === 'always' || (when === 'auto' && !env['NO_COLOR'] && automatic);
  const paint = (format: keyof Style) => (text: string) =>
    // The stream was looked at here; styleText would look at the process's own.
    enabled ? styleText(format, text, { validateStream: false }) : text;
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    green: paint('green'),
    yellow: paint('yellow'),
    cyan: paint('cyan'),
  };
}
