import { ConnectionError } from '@hubline/sdk';
import { expect, it } from 'vitest';
import { errorMessage } from '../../src/components/page/error-panel.tsx';

it('says to a person what a lost connection means, without the request and its base URL', () => {
  const error = new ConnectionError('POST /webhooks got no complete response: Failed to fetch.');
  expect(errorMessage(error)).toBe('The server cannot be reached. Try again when it is back.');
});
