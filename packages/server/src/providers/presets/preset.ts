import type { Definition } from '../defined/definition.ts';

/** A definition of a well-known tool. */
export interface Preset {
  definition: Definition & { description: string };
  /** A call of the tool, as its documentation shows it, without the proof. */
  sample: { headers: Record<string, string>; payload: object };
}
