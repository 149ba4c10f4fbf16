import { type PipelineStage, StageResult } from '#src/core/stage.ts';
import type { Normalized, Received } from '../flow.ts';
import { normalizeText } from '../normalize-text.ts';

/** Brings the text into one form: for the model with its lines, for commands as one line. */
export const normalize = (): PipelineStage<Received, Normalized> => ({
  name: 'normalize',
  isRepeatable: true,
  execute: async (input) => {
    const { body, normalizedBody } = normalizeText(input.ctx.rawBody, input.ctx.timeZone);
    const forwarded = input.ctx.forwarded?.map(({ text, ...passedOn }) => ({
      ...passedOn,
      text: normalizeText(text, input.ctx.timeZone).body,
    }));
    return StageResult.continue({
      ...input,
      ctx: {
        ...input.ctx,
        bodyForAgent: body,
        commandBody: normalizedBody,
        ...(forwarded && { forwarded }),
      },
      normalizedBody,
    });
  },
});
