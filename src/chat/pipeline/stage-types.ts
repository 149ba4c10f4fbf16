import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import type { ExecutionResult, PipelineMsgContext } from '#src/kernel/agent/execution.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import type { BindingMatch, PipelineStage } from '#src/kernel/chat/stage.ts';
import type { Acknowledgement } from '../delivery/acknowledgement.ts';
import type { ControlTokenResult } from '../delivery/control-tokens.ts';
import type { DisplayedAnswer } from '../delivery/answer-display.ts';
import type { DeliveryReport } from '../delivery/delivery.ts';

/** The data passed from stage to stage. Each stage adds to it, so that a wrong order does not compile. */
export interface Received {
  readonly ctx: TurnContext;
  readonly match: BindingMatch;
  readonly channel: ChannelPlugin;
  readonly acknowledgement: Acknowledgement;
}

export interface Normalized extends Received {
  readonly isNormalized: true;
}

/** A message that is not a command and goes to the model. */
export interface Question extends Normalized {
  readonly isQuestion: true;
}

export interface Acknowledged extends Question {
  readonly isAcknowledged: true;
}

export interface Enriched extends Acknowledged {
  readonly enriched: PipelineMsgContext;
}

export interface Answered extends Enriched {
  readonly answer: ControlTokenResult;
  readonly result: ExecutionResult;
  /** The answer as it is shown, with cards and buttons. */
  readonly displayed: Omit<DisplayedAnswer, 'text'>;
}

export type SixStages = readonly [
  normalize: PipelineStage<Received, Normalized>,
  command: PipelineStage<Normalized, Question>,
  ack: PipelineStage<Question, Acknowledged>,
  context: PipelineStage<Acknowledged, Enriched>,
  execute: PipelineStage<Enriched, Answered>,
  deliver: PipelineStage<Answered, DeliveryReport>,
];
