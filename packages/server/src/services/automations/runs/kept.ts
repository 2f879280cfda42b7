import { isSecretName, MASK, maskSecrets } from '../../../domain/events/mask-secrets.ts';

const TEXT_MAX = 1_000;
const KEPT_MAX = 2_048;

/** A request or a response as it is stored with its step: secrets are masked, and at most 2 KiB are kept. */
export function kept(value: object | null): string | null {
  if (value === null) return null;
  const text = JSON.stringify(value, (name, member: unknown) => {
    if (typeof member !== 'string') return member;
    if (isSecretName(name)) return MASK;
    const shown = maskSecrets(member.slice(0, 2 * TEXT_MAX))
      .toWellFormed()
      .replaceAll('\0', '');
    return shown.length > TEXT_MAX ? `${shown.slice(0, TEXT_MAX).toWellFormed()}…` : shown;
  });
  return text.length <= KEPT_MAX
    ? text
    : JSON.stringify({ beginning: text.slice(0, KEPT_MAX / 2).toWellFormed() });
}
