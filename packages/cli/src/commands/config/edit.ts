import { once } from 'node:events';
import { configFile, readConfig } from '../../config/config-file.ts';
import { usageError } from '../../errors.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';

export const command = define({
  path: 'config edit',
  summary: 'Open the configuration in $VISUAL or $EDITOR. It is checked afterwards.',
  examples: ['hubline config edit'],
  view: view<{ path: string }>()({
    noun: ['file', 'files'],
    fields: ['path'],
    columns: ['path'],
    id: 'path',
  }),
  say: ({ path }, style) => `${style.green('✓')} ${path} is well-formed`,
  async run(ctx) {
    if (!ctx.interactive)
      throw usageError('An editor needs a terminal.', 'Use hubline config set and unset.');
    const editor = ctx.env['VISUAL'] || ctx.env['EDITOR'];
    if (!editor) throw usageError('There is no editor.', 'Set VISUAL or EDITOR, for example to "vi".');
    // Made first, so that it is readable for its owner only, whatever the editor does.
    await ctx.saveConfig(await ctx.config());
    const path = configFile(ctx.configDirectory());
    const code = await ctx.perform(`open it with ${editor}`, () => runEditor(editor, path));
    if (code !== 0)
      throw usageError(`${editor} ended with ${code ?? 'a signal'}.`, 'Check VISUAL and EDITOR.');
    readConfig(ctx.configDirectory(), (message) => void ctx.warn(message));
    return { path };
  },
});

/** The exit code of an editor, which may have arguments: `code --wait`. The shell gets the path as a parameter, never as program text. */
async function runEditor(editor: string, path: string): Promise<number | null> {
  const { spawn } = await import('node:child_process');
  const child =
    process.platform === 'win32'
      ? spawn(`${editor} "${path}"`, { shell: true, stdio: 'inherit' })
      : spawn('sh', ['-c', `${editor} "$1"`, 'sh', path], { stdio: 'inherit' });
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}
