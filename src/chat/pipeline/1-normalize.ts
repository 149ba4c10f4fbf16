import { type PipelineStage, StageResult } from '#src/kernel/chat/stage.ts';
import type { NormalizeText } from '../commands/normalize-text.ts';
import type { Normalized, Received } from './stage-types.ts';

export const normalize = (normalizeText: NormalizeText): PipelineStage<Received, Normalized> => ({
  name: 'normalize',
  isRepeatable: true,
  execute: async (input) => {
    const { rawBody, timeZone } = input.ctx;
    const forwarded = input.ctx.forwarded?.map(({ text, ...passedOn }) => ({
      ...passedOn,
      text: normalizeText(text, timeZone),
    }));
    return StageResult.continue({
      ...input,
      ctx: {
        ...input.ctx,
        bodyForAgent: normalizeText(rawBody, timeZone),
        ...(forwarded && { forwarded }),
      },
      isNormalized: true,
    });
  },
});
