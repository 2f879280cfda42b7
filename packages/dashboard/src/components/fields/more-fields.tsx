import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import { FieldErrors } from './field.tsx';

interface MoreFieldsProps {
  readonly label: string;
  readonly children: ComponentChildren;
  /** True if they are unfolded at first: something is filled in. */
  readonly open?: boolean;
}

/** Fields that few need, folded; an error of the API about one of them unfolds them. */
export function MoreFields({ label, children, open = false }: MoreFieldsProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const errors = useContext(FieldErrors);
  useEffect(() => {
    if (details.current?.querySelector('[aria-invalid="true"]')) details.current.open = true;
  }, [errors]);
  return (
    <details ref={details} class="more-fields" open={open}>
      <summary>{label}</summary>
      <div class="form">{children}</div>
    </details>
  );
}
