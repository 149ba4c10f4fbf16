import type { MsgContext } from '#src/kernel/message.ts';
import { type PipelineStage, StageResult } from '#src/kernel/stage.ts';
import type { Acknowledged, Question } from './stage-types.ts';

const acknowledged = (input: Question): Acknowledged => ({ ...input, isAcknowledged: true });

/** Shows that the message was seen. Commands end before this stage. */
export const ack = (deps: {
  readonly enableAck: boolean;
  /** Default: always. */
  readonly showsTyping?: (ctx: MsgContext) => boolean;
}): PipelineStage<Question, Acknowledged> => ({
  name: 'ack',
  isRepeatable: true,
  execute: async (input) => {
    if (deps.enableAck) input.acknowledgement.begin(deps.showsTyping?.(input.ctx));
    return StageResult.continue(acknowledged(input));
  },
  // An answer does not need the acknowledgement.
  degrade: acknowledged,
});
