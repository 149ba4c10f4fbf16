import { expect, it } from 'vitest';
import { lazyAnswers } from '#src/platform/lazy-answers.ts';

it('loads the code behind an answer once, with the first call, and again after a failure', async () => {
  const events: string[] = [];
  const state = { isBroken: true };
  const answers = lazyAnswers(
    async () => {
      events.push('open');
      if (state.isBroken) throw new Error('no disk');
      return { factor: 2 };
    },
    {
      double: async () => {
        events.push('load double');
        return ({ factor }: { readonly factor: number }) =>
          async (value: number) =>
            value * factor;
      },
      never: async () => {
        events.push('load never');
        return () => async () => 0;
      },
    },
  );
  expect(events).toEqual([]);
  await expect(answers.double(4)).rejects.toThrow('no disk');
  state.isBroken = false;
  expect(await Promise.all([answers.double(4), answers.double(5)])).toEqual([8, 10]);
  expect(events).toEqual(['load double', 'open', 'load double', 'open']);
});
