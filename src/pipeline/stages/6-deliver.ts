import { texts } from '#src/core/i18n.ts';
import { type PipelineStage, StageResult } from '#src/core/stage.ts';
import type { Delivery, DeliveryReport } from '../delivery.ts';
import { PipelineError } from '../errors.ts';
import type { Answered } from '../flow.ts';

/** Sends the answer to the message it belongs to. An empty answer becomes a sentence, never silence. */
export const deliver = (deps: { readonly delivery: Delivery }): PipelineStage<Answered, DeliveryReport> => ({
  name: 'deliver',
  execute: async (input, signal) => {
    const text = input.answer.cleanContent || texts(input.ctx.locale).emptyAnswer();
    const reply = { text, facts: input.result.facts };
    const report = await deps.delivery.deliver(input.ctx, reply, input.channel, signal);
    if (report.failed === 0) return StageResult.continue(report);
    const reason = `${report.failed} of ${report.parts} parts could not be delivered`;
    return StageResult.abort(reason, new PipelineError(reason, 'DELIVERY_FAILED'));
  },
});
