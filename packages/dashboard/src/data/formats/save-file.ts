/** Long enough for the browser to begin; until then its URL must stay valid. */
const KEPT_MS = 60_000;

/** Gives the person a file, as a download. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
