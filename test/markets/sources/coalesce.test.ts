import { expect, it } from 'vitest';
import { createCoalesce } from '#src/markets/sources/cached-lookup.ts';

it('a run that was given up is not joined, though it does not listen and goes on', async () => {
  const coalesce = createCoalesce<string>();
  const old = Promise.withResolvers<string>();
  const controller = new AbortController();
  const left = coalesce('key', () => old.promise, controller.signal);
  const reason = new Error('stopped by the user');
  controller.abort(reason);
  await expect(left).rejects.toBe(reason);

  const fresh = Promise.withResolvers<string>();
  const { signal } = new AbortController();
  const asked = coalesce('key', () => fresh.promise, signal);
  // The end of the old one is not the end of the new one: who comes now joins that.
  old.resolve('old');
  await old.promise;
  const joined = coalesce('key', () => Promise.resolve('a third'), signal);
  fresh.resolve('fresh');
  expect(await Promise.all([asked, joined])).toEqual(['fresh', 'fresh']);
});
