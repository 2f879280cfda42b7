/** The method of an operation. */
export function Verb({ method }: { method: string }) {
  const short = method === 'DELETE' ? 'DEL' : method;
  return <span class={`verb ${short.toLowerCase()}`}>{short}</span>;
}
