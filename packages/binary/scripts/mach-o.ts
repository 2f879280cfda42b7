/** The parts of Apple's program format that are needed to sign a program on another system than macOS. */
import { createHash } from 'node:crypto';

const MAGIC_64 = 0xfeedfacf;
const HEADER_BYTES = 32;
const COMMAND_BYTES = 16;
const CODE_SIGNATURE = 0x1d;

/** Signatures are big-endian, everything else is little-endian. */
const EMBEDDED_SIGNATURE = 0xfade0cc0;
const CODE_DIRECTORY = 0xfade0c02;
const AD_HOC = 0x2;
const SHA256 = 2;

interface LoadCommand {
  readonly kind: number;
  readonly at: number;
}

function commandsOf(file: Buffer): LoadCommand[] {
  if (file.readUInt32LE(0) !== MAGIC_64) throw new Error('This is not a program for macOS');
  const commands: LoadCommand[] = [];
  let at = HEADER_BYTES;
  for (let left = file.readUInt32LE(16); left > 0; left -= 1) {
    commands.push({ kind: file.readUInt32LE(at), at });
    at += file.readUInt32LE(at + 4);
  }
  return commands;
}

/** Adds the load command for a signature to a program that has none. LLVM signs a program only if it finds a signature to replace. */
export function announceSignature(file: Buffer): void {
  if (commandsOf(file).some(({ kind }) => kind === CODE_SIGNATURE)) return;
  const bytes = file.readUInt32LE(20);
  const at = HEADER_BYTES + bytes;
  if (file.subarray(at, at + COMMAND_BYTES).some((byte) => byte !== 0))
    throw new Error('There is no room for another load command in this program');
  file.writeUInt32LE(file.readUInt32LE(16) + 1, 16);
  file.writeUInt32LE(bytes + COMMAND_BYTES, 20);
  for (const [index, word] of [CODE_SIGNATURE, COMMAND_BYTES, file.length, 0].entries())
    file.writeUInt32LE(word, at + index * 4);
}

/**
 * Checks the ad-hoc signature of a program, as the kernel does before it runs a page: each page before the signature has a hash, and the
 * hash is right. Throws with the first problem.
 */
export function checkSignature(file: Buffer): void {
  const command = commandsOf(file).find(({ kind }) => kind === CODE_SIGNATURE);
  if (!command) throw new Error('This program is not signed');
  const start = file.readUInt32LE(command.at + 8);
  const signature = file.subarray(start, start + file.readUInt32LE(command.at + 12));
  if (signature.readUInt32BE(0) !== EMBEDDED_SIGNATURE) throw new Error('The signature is malformed');
  const directory = signature.subarray(signature.readUInt32BE(16));
  if (directory.readUInt32BE(0) !== CODE_DIRECTORY) throw new Error('The signature has no code directory');
  if ((directory.readUInt32BE(12) & AD_HOC) === 0) throw new Error('The signature is not ad hoc');
  const [hashes, slots, limit] = [16, 28, 32].map((at) => directory.readUInt32BE(at)) as [
    number,
    number,
    number,
  ];
  const [size, kind, , pageBits] = directory.subarray(36, 40) as unknown as [number, number, number, number];
  const page = 2 ** pageBits;
  if (kind !== SHA256 || limit !== start || slots !== Math.ceil(limit / page))
    throw new Error('The signature does not cover the program');
  for (let slot = 0; slot < slots; slot += 1) {
    const bytes = file.subarray(slot * page, Math.min((slot + 1) * page, limit));
    const signed = directory.subarray(hashes + slot * size, hashes + (slot + 1) * size);
    if (!createHash('sha256').update(bytes).digest().equals(signed))
      throw new Error(`Page ${slot} does not match its signature`);
  }
}
