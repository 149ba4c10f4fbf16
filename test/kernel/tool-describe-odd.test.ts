import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '#src/kernel/tool.ts';

const run = async () => ({ content: 'ok', isError: false });

it('an argument that a transform makes a bigint is shown', () => {
  const input = z.object({ amount: z.string().transform((text) => BigInt(text)) });
  const tool = defineTool({ name: 't', description: '', group: 'custom', input, run });
  expect(tool.describe({ amount: '12' }, 'en')).toContain('12');
});

it('what is in a set or a map is shown', () => {
  const input = z.object({ to: z.array(z.string()).transform((names) => new Set(names)) });
  const tool = defineTool({ name: 't', description: '', group: 'custom', input, run });
  expect(tool.describe({ to: ['mallory'] }, 'en')).toContain('mallory');
});

// Of no width, and not of the class Cf.
it.each(['\u034f', '\u115f', '\u3164', '\u17b4', '\ufe0f'])(
  '%j, which nobody sees, is taken out',
  (unseen) => {
    const input = z.object({ symbol: z.string() });
    const tool = defineTool({ name: 't', description: '', group: 'custom', input, run });
    expect(tool.describe({ symbol: `AA${unseen}PL` }, 'en')).not.toContain(unseen);
  },
);
