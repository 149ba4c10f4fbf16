import { expect, it } from 'vitest';
import { answering, message, setUpAdapter } from './adapter-support.ts';

it('answers although who watches the run throws, and the log has the reason', async () => {
  const { boot } = await setUpAdapter();
  const { adapter, controller, records } = boot(answering('Hello.'));
  const result = await adapter.execute(message('1', 'hi'), controller.signal, () => {
    throw new Error('the live message is gone');
  });
  expect(result).toMatchObject({ status: 'completed', content: 'Hello.' });
  expect(JSON.stringify(records())).toContain('the live message is gone');
});
