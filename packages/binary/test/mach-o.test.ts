import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { announceSignature, checkSignature } from '../scripts/mach-o.ts';

const TOOL = 'llvm-objcopy';
const PAGE = 0x4000;

/** The smallest program for macOS that has the segments of every program: code, and data for the linker. */
function program(): Buffer {
  const file = Buffer.alloc(2 * PAGE + 0x100);
  const segment = (at: number, name: string, [address, size, offset, bytes]: readonly number[]): void => {
    file.writeUInt32LE(0x19, at);
    file.writeUInt32LE(72, at + 4);
    file.write(name, at + 8, 'latin1');
    for (const [index, word] of [address, size, offset, bytes].entries())
      file.writeBigUInt64LE(BigInt(word ?? 0), at + 24 + index * 8);
    file.writeUInt32LE(5, at + 56);
    file.writeUInt32LE(5, at + 60);
  };
  // A program for arm64, with three load commands.
  for (const [index, word] of [0xfeedfacf, 0x0100000c, 0, 2, 3, 152 + 72 + 24, 0, 0].entries())
    file.writeUInt32LE(word, index * 4);
  segment(32, '__TEXT', [0x1_0000_0000, 2 * PAGE, 0, 2 * PAGE]);
  // With one section, the code.
  file.writeUInt32LE(152, 36);
  file.writeUInt32LE(1, 96);
  file.write('__text', 104, 'latin1');
  file.write('__TEXT', 120, 'latin1');
  file.writeBigUInt64LE(BigInt(0x1_0000_0000 + PAGE), 136);
  file.writeBigUInt64LE(BigInt(PAGE), 144);
  file.writeUInt32LE(PAGE, 152);
  segment(184, '__LINKEDIT', [0x1_0000_0000 + 2 * PAGE, PAGE, 2 * PAGE, 0x100]);
  // An empty symbol table, and a string table with only the empty name.
  for (const [index, word] of [2, 24, 2 * PAGE, 0, 2 * PAGE, 0x100].entries())
    file.writeUInt32LE(word, 256 + index * 4);
  file.fill('code', PAGE, 2 * PAGE);
  return file;
}

it.runIf(spawnSync(TOOL, ['--version']).status === 0)(
  'signs a program for macOS ad hoc on another system, and detects a changed page',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'hubline-mach-o-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'hubline');
    const file = program();
    expect(() => checkSignature(file)).toThrow('is not signed');
    announceSignature(file);
    writeFileSync(path, file);
    expect(() => checkSignature(file)).toThrow();
    const { status, stderr } = spawnSync(TOOL, [path], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });

    const signed = readFileSync(path);
    checkSignature(signed);
    expect(signed.subarray(PAGE, 2 * PAGE).equals(file.subarray(PAGE, 2 * PAGE))).toBe(true);
    const changed = Buffer.from(signed);
    changed.writeUInt8(changed.readUInt8(PAGE + 5) ^ 1, PAGE + 5);
    expect(() => checkSignature(changed)).toThrow('Page 4 does not match its signature');
    expect(() => checkSignature(Buffer.from('#!/bin/sh, and more than a header'))).toThrow(
      'not a program for macOS',
    );
  },
);
