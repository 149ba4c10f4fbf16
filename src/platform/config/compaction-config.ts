import { z } from 'zod';

const share = (least: number, most: number) => z.number().min(least).max(most);

/** `agent.compaction`: when and how the older parts of a conversation make room. */
export const compactionSchema = z
  .strictObject({
    warnAt: share(0.1, 0.9)
      .default(0.7)
      .describe('Fill level of the window, less the room reserved for the answer, from which the log warns.'),
    compactAt: share(0.2, 0.95)
      .default(0.85)
      .describe('Fill level from which older parts are compacted. Must be above `warnAt` and `target`.'),
    target: share(0.1, 0.8).default(0.5).describe('Fill level after compaction.'),
    keepMessages: z
      .number()
      .int()
      .min(1)
      .max(100)
      .default(6)
      .describe('Newest messages that stay unchanged, as far as they fit.'),
    strategy: z
      .enum(['hybrid', 'summarize', 'truncate-tools', 'truncate-oldest'])
      .default('hybrid')
      .describe(
        '`summarize`: a model writes a summary. `truncate-tools`: tool results are shortened first. `truncate-oldest`: the oldest turns are dropped, without a model call. `hybrid`: shortened results if that is enough, otherwise a summary.',
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
  .prefault({})
  .describe('When and how the older parts of a conversation are compacted.');
