import type { TurnContext } from '#src/kernel/message.ts';
import { type PipelineStage, StageResult } from '#src/kernel/stage.ts';
import type { Acknowledged, Question, Received } from './stage-types.ts';

export interface AckDeps {
  readonly enableAck: boolean;
  /** Default: always. */
  readonly showsTyping?: (ctx: TurnContext) => boolean;
}

/** Shows that the message was seen, unless it is answered at once. */
export const acknowledge = (
  { ctx, acknowledgement }: Received,
  { enableAck, showsTyping }: AckDeps,
): void => {
  if (enableAck) acknowledgement.begin(showsTyping?.(ctx));
};

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
