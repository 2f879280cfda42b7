import { useLocation } from 'preact-iso/router';
import { isAllowed, whyNot } from '../../data/address/parameters.ts';
import { Button } from '../controls/button.tsx';
import { Notice } from './notice.tsx';

/** Names the parameters of the address that the page does not use: wrong values, and names that it does not know. */
export function IgnoredParameters() {
  const { path, query, route } = useLocation();
  const given = Object.entries(query).filter(([, value]) => value !== '');
  const ignored = given.filter(([name, value]) => !isAllowed(name, value));
  const used = given.filter(([name, value]) => isAllowed(name, value));
  if (ignored.length === 0) return null;
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
