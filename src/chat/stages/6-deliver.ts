import { failureMessages, sourceMessages } from '../reply/messages.ts';
import type { Choice, MsgContext } from '#src/kernel/message.ts';
import { type PipelineStage, StageResult } from '#src/kernel/stage.ts';
import { zoneQuestion } from '#src/language/zone-question.ts';
import { type Delivery, deliveryFailure, type DeliveryReport } from '../reply/delivery.ts';
import type { Answered } from './stage-types.ts';

/** Names the message and not "the last answer", because it may be pressed hours later and by anybody in the chat. */
const whyChoice = ({ inboxId, locale }: MsgContext): Choice => ({
  label: sourceMessages(locale).why(),
  command: `/why ${inboxId}`,
});

/** Sends the answer. An empty answer becomes a message, never silence. */
export const deliver = (deps: { readonly delivery: Delivery }): PipelineStage<Answered, DeliveryReport> => ({
  name: 'deliver',
  execute: async (input, signal) => {
    const { facts, media, dependsOnZone, isExplainable } = input.result;
    // Asked by the program: a model could forget to mention a guessed zone.
    const question = dependsOnZone ? zoneQuestion(input.ctx) : undefined;
    const asked = (said: string): string => (question ? `${said}\n\n${question.text}` : said);
    const text = asked(input.answer.cleanContent || failureMessages(input.ctx.locale).emptyAnswer());
    const cards = input.cards && { ...input.cards, text: asked(input.cards.text) };
    const choices = [...(question?.choices ?? []), ...(isExplainable ? [whyChoice(input.ctx)] : [])];
    const reply = {
      text,
      facts,
      ...(media && { media }),
      ...(cards && { cards }),
      ...(choices.length > 0 && { choices }),
    };
    const report = await deps.delivery.deliver(input.ctx, reply, input.channel, signal);
    const failure = deliveryFailure(report);
    return failure ? StageResult.abort(failure.message, failure) : StageResult.continue(report);
  },
});
