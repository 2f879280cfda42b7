import { useLocation } from 'preact-iso/router';
import { isAllowed, whyNot } from '../../data/address/parameters.ts';
import { Button } from '../controls/button.tsx';
import { Notice } from './notice.tsx';

/** Names the parameters of the address that the page does not use: wrong values, and names that it does not know. */
export function IgnoredParameters() {
  const { path, query, route } = useLocation();
  const [ignored, used] = [false, true].map((is) =>
    Object.entries(query).filter(([name, value]) => value !== '' && isAllowed(name, value) === is),
  );
  if (!ignored?.length) return null;
  return (
    <Notice
      tone="warn"
      actions={
        <Button size="small" onClick={() => route(`${path}?${new URLSearchParams(used)}`, true)}>
          Remove from the address
        </Button>
      }
    >
      {ignored.map(([name, value]) => (
        <p key={name}>
          <code>
            {name}={value}
          </code>{' '}
          in the address is not used: {whyNot(name)}
        </p>
      ))}
    </Notice>
  );
}
