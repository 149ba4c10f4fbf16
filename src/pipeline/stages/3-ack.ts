import { type PipelineStage, StageResult } from '#src/core/stage.ts';
import type { Acknowledged, Question } from '../flow.ts';

const acknowledged = (input: Question): Acknowledged => ({ ...input, isAcknowledged: true });

/** Shows the person that the message was seen. What answers at once (a command) never gets here. */
export const ack = (deps: { readonly enableAck: boolean }): PipelineStage<Question, Acknowledged> => ({
  name: 'ack',
  isRepeatable: true,
  execute: async (input) => {
    if (deps.enableAck) input.acknowledgement.begin();
    return StageResult.continue(acknowledged(input));
  },
  // An answer without signs is an answer.
  degrade: acknowledged,
});
