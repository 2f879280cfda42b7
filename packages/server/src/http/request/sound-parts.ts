/** The parts of a body that are not wrong: those at these paths are taken out. Items of a list keep their places. */
export function soundParts(body: unknown, wrong: readonly (readonly PropertyKey[])[]): unknown {
  return wrong.reduce((rest, path) => without(rest, path), body);
}

function without(value: unknown, [step, ...steps]: readonly PropertyKey[]): unknown {
  if (step === undefined) return undefined;
  if (Array.isArray(value))
    return (value as unknown[]).map((item, index) => (index === step ? without(item, steps) : item));
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return value;
  const { [step]: inner, ...others } = value as Record<PropertyKey, unknown>;
  return steps.length === 0 ? others : { ...others, [step]: without(inner, steps) };
}
