import { z } from 'zod';

const share = (least: number, most: number) => z.number().min(least).max(most);

/** `agent.compaction`: when and how the older parts of a conversation make room. */
export const compactionSchema = z
  .strictObject({
    warnAt: share(0.1, 0.9)
      .default(0.7)
      .describe('Share of the window, without what is kept for the answer, from which on the log warns.'),
    compactAt: share(0.2, 0.95)
      .default(0.85)
      .describe(
        'Share of the same room from which on older parts are shortened. Must be above `warnAt` and `target`.',
      ),
    target: share(0.1, 0.8)
      .default(0.5)
      .describe('Share of the room for the conversation that is still filled afterwards.'),
    keepMessages: z
      .number()
      .int()
      .min(1)
      .max(100)
      .default(6)
      .describe('How many of the last messages stay unchanged, as far as there is room for them.'),
    strategy: z
      .enum(['hybrid', 'summarize', 'truncate-tools', 'truncate-oldest'])
      .default('hybrid')
      .describe(
        '`summarize`: the model sums up. `truncate-tools`: results of tools are shortened first. `truncate-oldest`: the oldest turns go, without a request to a model. `hybrid`: shorter results where that is enough, else a summary.',
      ),
  })
  .superRefine(({ warnAt, compactAt, target }, ctx) => {
    for (const [name, value] of Object.entries({ warnAt, target }))
      if (value >= compactAt)
        ctx.addIssue({
          code: 'custom',
          path: [name],
          message: `must be below compactAt (${compactAt})`,
        });
  })
  .prefault({});
