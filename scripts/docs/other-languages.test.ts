import { execFile, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { readMarkdown } from './markdown.ts';
import { root } from '../workspace.ts';

const run = promisify(execFile);
const PAGE = 'docs/guides/receiving-webhooks/other-languages.md';
const { fences } = readMarkdown(PAGE, readFileSync(join(root, PAGE), 'utf8'));

interface Language {
  /** Name of the program's file; the command of the language runs it. */
  readonly file: string;
  readonly command: readonly [string, ...string[]];
  readonly version: string;
  /** A program that prints `true` or `false` for each signature. Its arguments: a file, signatures with commas between, secrets. */
  readonly program: (code: string) => string;
}

const LANGUAGES: Record<string, Language> = {
  python: {
    file: 'main.py',
    command: ['python3'],
    version: '--version',
    program: (code) =>
      `${code}\nimport sys\nbody = open(sys.argv[1], "rb").read()\nfor each in sys.argv[2].split(","):\n  print(str(is_genuine(body, each, sys.argv[3:])).lower())`,
  },
  go: {
    file: 'main.go',
    command: ['go', 'run'],
    version: 'version',
    program: (code) => `package main\nimport "fmt"\nimport "os"\nimport "strings"\n${code}
      func main() {
        body, _ := os.ReadFile(os.Args[1])
        for _, each := range strings.Split(os.Args[2], ",") {
          fmt.Println(isGenuine(body, each, os.Args[3:]))
        }
      }`,
  },
  php: {
    file: 'main.php',
    command: ['php'],
    version: '--version',
    program: (code) =>
      `<?php\n${code}\nforeach (explode(',', $argv[2]) as $each) echo json_encode(is_genuine(file_get_contents($argv[1]), $each, array_slice($argv, 3))), "\\n";`,
  },
  ruby: {
    file: 'main.rb',
    command: ['ruby'],
    version: '--version',
    program: (code) =>
      `${code}\nARGV[1].split(',', -1).each { |each| puts genuine?(File.binread(ARGV[0]), each, ARGV.drop(2)) }`,
  },
  java: {
    file: 'Main.java',
    command: ['java'],
    version: '--version',
    program: (code) => `
      import java.nio.charset.*; import java.nio.file.*; import java.security.*; import java.util.*;
      import javax.crypto.*; import javax.crypto.spec.*;
      class Main {
        ${code}
        public static void main(String[] args) throws Exception {
          List<String> all = List.of(args);
          for (String each : args[1].split(",", -1))
            System.out.println(isGenuine(Files.readAllBytes(Path.of(args[0])), each, all.subList(2, all.size())));
        }
      }`,
  },
};

// A machine without the language skips it: developers and CI need only Node.
for (const [name, { file, command, version, program }] of Object.entries(LANGUAGES))
  it.skipIf(spawnSync(command[0], [version]).status !== 0)(
    `the function in ${name} accepts what was signed with one of its secrets, and nothing else`,
    { timeout: 120_000 },
    async () => {
      const code = fences.find(({ lang }) => lang === name)?.code ?? '';
      const folder = mkdtempSync(join(tmpdir(), 'hubline-languages-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      writeFileSync(join(folder, file), program(code));
      const text = '{"id":"dlv_1","payload":{"text":"ü😀\\ud800\\u0000","n":12345678901234567890}}';
      const body = join(folder, 'body.json');
      writeFileSync(body, text);
      const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'ein Geheimnis: ü'];
      const sign = (key: string) => createHmac('sha256', key).update(text).digest('hex');
      const [first = '', second = ''] = secrets;
      const signatures = [sign(first), sign(second), sign('another'), '', 'ü', sign(first).slice(1)];
      const [started, ...given] = [...command, file, body, signatures.join(','), ...secrets];
      // A secret that is an argument is read by the locale.
      const env = { ...process.env, LC_ALL: 'C.UTF-8' };
      const { stdout } = await run(started, given, { cwd: folder, env });
      expect(stdout.trim().split(/\s+/)).toEqual(['true', 'true', 'false', 'false', 'false', 'false']);
    },
  );

it('the page has a function for each of the languages that are tested', () => {
  const known = fences.map(({ lang }) => lang);
  expect(known).toEqual(expect.arrayContaining(Object.keys(LANGUAGES)));
});
