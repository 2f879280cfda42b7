import { EVERY, parsePath, valueAt } from '../../../domain/conditions/path.ts';
import { weigh } from '../../../domain/templates/filter-limits.ts';
import { renderTemplate } from '../../../domain/templates/template.ts';

// As much as webhook receivers usually accept.
const PAYLOAD_MAX = 256 * 1024;
const TOO_LARGE = `the rendered payload has more than ${PAYLOAD_MAX / 1_024} KiB`;
// The space around the path is not matched apart from it: a long run of spaces would be tried in every part of it.
const WHOLE = /^\{\{([^{}|]*)\}\}$/;

/** A rendered payload, or the fault of one of its templates. */
export type RenderedPayload = { ok: true; value: unknown } | { ok: false; error: string };

/** Fills the templates in JSON. A text that is nothing but `{{ path }}` becomes the value there, with its type. */
export function renderPayload(tree: unknown, values: Readonly<Record<string, unknown>>): RenderedPayload {
  let error: string | null = null;
  let left = PAYLOAD_MAX;

  function fill(value: unknown): unknown {
    if (error !== null) return null;
    if (typeof value === 'string') return fillText(value);
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, fill(child)]));
  }

  function fillText(text: string): unknown {
    const [, path] = WHOLE.exec(text) ?? [];
    const steps = path === undefined ? undefined : parsePath(path.trim());
    if (steps && !steps.includes(EVERY)) return counted(valueAt(values, steps) ?? null);
    const rendered = renderTemplate(text, values);
    if (rendered.ok) return counted(rendered.text);
    error = rendered.error;
    return null;
  }

  // Stops early: a payload that names a megabyte seven hundred times would fill the memory.
  function counted(value: unknown): unknown {
    left -= weigh(value, left);
    if (left >= 0) return value;
    error = TOO_LARGE;
    return null;
  }

  const value = fill(tree);
  if (error !== null) return { ok: false, error };
  if (JSON.stringify(value).length > PAYLOAD_MAX) return { ok: false, error: TOO_LARGE };
  return { ok: true, value };
}
