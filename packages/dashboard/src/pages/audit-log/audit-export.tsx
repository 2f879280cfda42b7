import { LIMITS } from '@hubline/contract/constants';
import { isAbortError, type AuditLogExportQuery } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { client } from '../../api/client.ts';
import { Button } from '../../components/controls/button.tsx';
import { toast, toastError } from '../../components/dialogs/toast.tsx';
import { formatBytes } from '../../data/formats/format-number.ts';
import { saveFile } from '../../data/formats/save-file.ts';
import { useAction } from '../../data/queries/use-action.ts';
import { useWorkspace } from '../../session/workspace.ts';

const FORMATS = { csv: 'text/csv', json: 'application/json' } as const;

/** Exports all matching entries as a file. They are read by the client: a plain link cannot send the header of the session. */
export function AuditExport({ query }: { query: () => AuditLogExportQuery }) {
  const { id, slug } = useWorkspace();
  const characters = useSignal(0);
  const abort = useRef<AbortController>(undefined);
  const exporting = useAction(async (format: keyof typeof FORMATS) => {
    const { signal } = (abort.current = new AbortController());
    characters.value = 0;
    const pieces: string[] = [];
    try {
      for await (const piece of format === 'csv'
        ? client.auditLog.exportCsv(id, query(), { signal })
        : jsonPieces(id, query(), signal)) {
        pieces.push(piece);
        characters.value += piece.length;
      }
      const name = `audit-log-${slug}-${new Date().toISOString().slice(0, 10)}.${format}`;
      saveFile(name, new Blob(pieces, { type: FORMATS[format] }));
      toast(`Saved ${name}.`);
    } catch (error) {
      if (!isAbortError(error)) toastError(error);
    }
  });
  useEffect(() => () => abort.current?.abort(), []);
  if (exporting.pending) {
    return (
      <>
        <span role="status" class="faint">
          Exporting: {formatBytes(characters.value)}
        </span>
        <Button onClick={() => abort.current?.abort()}>Cancel</Button>
      </>
    );
  }
  return (
    <>
      <Button onClick={() => void exporting.run('csv')}>Export CSV</Button>
      <Button onClick={() => void exporting.run('json')}>Export JSON</Button>
    </>
  );
}

/** An array of entries, one to a line. */
async function* jsonPieces(
  workspaceId: string,
  query: AuditLogExportQuery,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let before = '[\n';
  for await (const page of client.auditLog
    .list(workspaceId, { ...query, limit: LIMITS.pageMax }, { signal })
    .pages()) {
    for (const entry of page.data) {
      yield before + JSON.stringify(entry);
      before = ',\n';
    }
  }
  yield before === ',\n' ? '\n]\n' : '[]\n';
}
