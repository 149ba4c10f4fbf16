import { type PipelineStage, StageResult } from '#src/kernel/chat/stage.ts';
import { acknowledge, type AckDeps } from '../delivery/acknowledgement.ts';
import type { Acknowledged, Question } from './stage-types.ts';

const acknowledged = (input: Question): Acknowledged => ({ ...input, isAcknowledged: true });

/** Commands end before this stage. */
export const ack = (deps: AckDeps): PipelineStage<Question, Acknowledged> => ({
  name: 'ack',
  isRepeatable: true,
  execute: async (input) => {
    acknowledge(input, deps);
    return StageResult.continue(acknowledged(input));
  },
  // An answer does not need the acknowledgement.
  degrade: acknowledged,
});
