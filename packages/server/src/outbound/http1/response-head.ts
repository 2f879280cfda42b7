import { HEADER_NAME, NOT_IN_VALUE } from './header-syntax.ts';
import { notHttp } from '../failures/transport-error.ts';

/** The status line and the headers of a response. */
export interface ResponseHead {
  status: number;
  /** The version was HTTP/1.0. */
  isHttp10: boolean;
  /** Names in lower case, each followed by its value, in the order in which they came. */
  headers: readonly string[];
}

/** The end of a response's body, and of its connection. */
export interface Framing {
  /** The body has this many bytes; `null`: it comes in chunks, or ends with the connection. */
  length: number | null;
  isChunked: boolean;
  /** The receiver takes another request on the connection. */
  keepsOpen: boolean;
  /** The time for which it keeps an idle connection, in milliseconds; `null` if it does not say. */
  keepAliveMs: number | null;
}

const STATUS_LINE = /^HTTP\/(\S*) ([^ ]*)/;
const STATUS = /^[1-9]\d\d$/;

/** Reads a head: bytes as Latin-1, without the empty line at the end. Throws `TransportError`. */
export function readHead(text: string): ResponseHead {
  const end = text.indexOf('\r\n');
  const line = end < 0 ? text : text.slice(0, end);
  const [, version, status = ''] = STATUS_LINE.exec(line) ?? [];
  if (!text.startsWith('HTTP/')) throw notHttp('it does not begin with HTTP/');
  if (version !== '1.1' && version !== '1.0') throw notHttp('its version is neither 1.1 nor 1.0');
  if (!STATUS.test(status)) throw notHttp('its status is not a number from 100 to 999');
  if (/[\r\n]/.test(line)) throw notHttp('a line does not end in CR LF');
  return {
    status: Number(status),
    isHttp10: version === '1.0',
    headers: end < 0 ? [] : readHeaders(text, end + 2),
  };
}

function readHeaders(text: string, from: number): string[] {
  const headers: string[] = [];
  for (let at = from; at < text.length;) {
    const next = text.indexOf('\r\n', at);
    const end = next < 0 ? text.length : next;
    const colon = text.indexOf(':', at);
    const name = text.slice(at, colon < 0 || colon > end ? end : colon);
    if (name.startsWith(' ') || name.startsWith('\t')) throw notHttp('a header continues on a second line');
    if (name.length === end - at || !HEADER_NAME.test(name))
      throw notHttp('the name of a header is not valid');
    const value = trimmed(text, at + name.length + 1, end);
    if (NOT_IN_VALUE.test(value)) throw notHttp('the value of a header is not valid');
    headers.push(name.toLowerCase(), value);
    at = end + 2;
  }
  return headers;
}

/** The part of a text without the spaces around it. A pattern would take quadratic time for many spaces in the middle. */
function trimmed(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (start < end && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const isSpace = (code: number) => code === 0x20 || code === 0x09;

/** Reads the end of the body from the headers. Throws `TransportError` if they contradict each other. */
export function framingOf({ isHttp10, headers }: ResponseHead): Framing {
  let length: number | null = null;
  let coding: string | null = null;
  let connection = '';
  let keepAliveMs: number | null = null;
  for (let index = 0; index < headers.length; index += 2) {
    const value = headers[index + 1] ?? '';
    switch (headers[index]) {
      case 'content-length':
        if (length !== null) throw notHttp(CONTRADICTION);
        length = readLength(value);
        break;
      case 'transfer-encoding':
        coding = coding === null ? value : `${coding}, ${value}`;
        break;
      case 'connection':
        connection += `,${value}`;
        break;
      case 'keep-alive':
        keepAliveMs = readKeepAliveMs(value);
        break;
      default:
    }
  }
  if (length !== null && coding !== null) throw notHttp(CONTRADICTION);
  const isChunked = coding !== null && CHUNKED_LAST.test(coding);
  const options = connection === '' ? [] : connection.toLowerCase().split(/[\t ,]+/);
  // Chunks of HTTP/1.0 are read, but its connection is not trusted after them: RFC 9112, 6.1.
  const staysOpen = isHttp10 ? coding === null && options.includes('keep-alive') : true;
  const keepsOpen = staysOpen && !options.includes('close');
  return { length, isChunked, keepsOpen, keepAliveMs };
}

const CHUNKED_LAST = /(?:^|[\t ,])chunked$/i;
const CONTRADICTION = 'it contradicts itself about its length';

function readLength(value: string): number {
  if (!/^\d+$/.test(value)) throw notHttp('its Content-Length is not a number');
  const length = Number(value);
  if (!Number.isSafeInteger(length)) throw notHttp('its Content-Length is too large');
  return length;
}

function readKeepAliveMs(value: string): number | null {
  const seconds = /(?:^|[\t ,])timeout=(\d+)/i.exec(value)?.[1];
  return seconds === undefined ? null : Number(seconds) * 1000;
}
