import { lchownSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { openFile } from './open-file.ts';

const NOBODY = 65_534;

// The link appears between the check of the directory and the opening: no test of a command can stop there.
it.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'root opens no database through the link of another user, and one through its own',
  () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hubline-open-')));
    const [ofRoot, link] = [join(folder, 'root.db'), join(folder, 'hubline.db')];
    new SQLite(ofRoot).exec('CREATE TABLE kept (id)').close();
    symlinkSync(ofRoot, link);
    openFile(link).close();
    lchownSync(link, NOBODY, NOBODY);
    expect(() => openFile(link)).toThrow(`${link} leads to ${ofRoot} through a link of another user`);
    openFile(ofRoot).close();

    const dangling = join(folder, 'server.lock');
    symlinkSync(join(folder, 'new'), dangling);
    expect(() => openFile(dangling)).toThrow('unable to open database file');
  },
);
