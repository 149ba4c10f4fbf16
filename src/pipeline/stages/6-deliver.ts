import { texts } from '#src/core/i18n.ts';
import { type PipelineStage, StageResult } from '#src/core/stage.ts';
import { type Delivery, deliveryFailure, type DeliveryReport } from '../delivery.ts';
import type { Answered } from '../flow.ts';

/** Sends the answer to the message it belongs to. An empty answer becomes a sentence, never silence. */
export const deliver = (deps: { readonly delivery: Delivery }): PipelineStage<Answered, DeliveryReport> => ({
  name: 'deliver',
  execute: async (input, signal) => {
    const text = input.answer.cleanContent || texts(input.ctx.locale).emptyAnswer();
    const { facts, media } = input.result;
    const { cards } = input;
    const reply = { text, facts, ...(media && { media }), ...(cards && { cards }) };
    const report = await deps.delivery.deliver(input.ctx, reply, input.channel, signal);
    const failure = deliveryFailure(report);
    return failure ? StageResult.abort(failure.message, failure) : StageResult.continue(report);
  },
});
