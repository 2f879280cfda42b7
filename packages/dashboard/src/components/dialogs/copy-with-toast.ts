import { copyText } from '../text/copy-text.ts';
import { toast, toastError } from './toast.tsx';

/** Copies text, and says in a toast that it was copied, or why not. */
export async function copyWithToast(text: string, done: string): Promise<void> {
  if (await copyText(text)) toast(done);
  else toastError(new Error('Could not copy. Browsers allow it only over HTTPS and on localhost.'));
}
