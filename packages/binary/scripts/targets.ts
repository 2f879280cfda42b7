/** A system that hubline is built for: its name, its Node and its SQLite. */
export interface Target {
  readonly name: string;
  /** The package on npm that holds Node for it, with the path of the program. */
  readonly node: readonly [packageName: string, path: string];
  /** The name of the file that is built. */
  readonly program: string;
  /** The prebuilt file of better-sqlite3. */
  readonly sqlite: string;
  /** The package on npm that holds koffi for it, with the path of the addon. Only Linux needs it. */
  readonly koffi?: readonly [packageName: string, path: string];
}

const target = (name: string, path = 'bin/node'): Target => ({
  name,
  node: [`node-${name.replace('windows', 'win').replace('darwin-arm', 'bin-darwin-arm')}`, path],
  program: path.endsWith('.exe') ? 'hubline.exe' : 'hubline',
  sqlite: `${name.replace('windows', 'win32')}.node`,
  ...(name.startsWith('linux-') && {
    koffi: [`@koromix/koffi-${name}`, `${name.replace('-', '_')}/koffi.node`],
  }),
});

export const TARGETS: readonly Target[] = [
  target('linux-x64'),
  target('linux-arm64'),
  target('darwin-x64'),
  target('darwin-arm64'),
  target('windows-x64', 'bin/node.exe'),
];

/** The system that this runs on. */
export const HOST = `${process.platform.replace('win32', 'windows')}-${process.arch}`;
