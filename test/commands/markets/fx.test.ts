import { expect, it } from 'vitest';
import { fx } from '#src/features/fx/index.ts';
import type { ConvertRequest, ConvertText } from '#src/features/fx/convert.ts';
import { msgContext } from '#test/support/context.ts';

it.each(['', '100 usd krw', '100달러 원'])('/fx %s hands over what was typed', async (text) => {
  const asked: (ConvertRequest | ConvertText)[] = [];
  const command = fx.command.create({
    symbols: { resolve: () => ({ status: 'unknown', suggestions: [] }) },
    markets: {
      convert: async (request) => {
        asked.push(request);
        return { content: 'x', facts: [], found: 0 };
      },
    },
  });
  const { signal } = new AbortController();
  const result = await command.execute(text === '' ? [] : text.split(' '), msgContext(), signal);
  expect(asked).toEqual([{ text }]);
  // Nothing was found: only who asked has to see it.
  expect(result).toEqual({ content: 'x', facts: [], ephemeral: true });
});
