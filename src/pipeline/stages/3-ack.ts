import { type PipelineStage, StageResult } from '#src/core/stage.ts';
import type { Acknowledged, Question } from '../flow.ts';

/** Shows the person that the message was seen. What answers at once (a command) never gets here. */
export const ack = (deps: { readonly enableAck: boolean }): PipelineStage<Question, Acknowledged> => ({
  name: 'ack',
  execute: async (input) => {
    if (deps.enableAck) input.acknowledgement.begin();
    return StageResult.continue({ ...input, isAcknowledged: true });
  },
});
