import { view } from '../spec/view.ts';

/** A saved setting. */
export interface ConfigEntry {
  readonly setting: string;
  readonly value: string | null;
}

export const configEntryView = view<ConfigEntry>()({
  noun: ['setting', 'settings'],
  fields: ['setting', 'value'],
  columns: ['setting', { path: 'value', flexible: true }],
  id: 'value',
});
