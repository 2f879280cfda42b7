import { command as create } from './create.ts';
import { command as remove } from './delete.ts';
import { command as disable } from './disable.ts';
import { command as enable } from './enable.ts';
import { command as get } from './get.ts';
import { command as list } from './list.ts';
import { command as ping } from './ping.ts';
import { command as recover } from './recover.ts';
import { command as rotateSecret } from './rotate-secret.ts';
import { command as update } from './update.ts';

export const commands = [
  list,
  create,
  get,
  update,
  remove,
  enable,
  disable,
  rotateSecret,
  ping,
  recover,
] as const;
