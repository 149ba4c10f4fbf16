import { failureTexts, sourceTexts } from '../delivery/texts.ts';
import type { FeedbackMode } from '#src/kernel/chat/feedback.ts';
import type { ChatPlace, Choice, TurnContext } from '#src/kernel/chat/message.ts';
import { type PipelineStage, StageResult } from '#src/kernel/chat/stage.ts';
import { zoneQuestion } from '#src/reading/zone-question.ts';
import { type Delivery, deliveryFailure, type DeliveryReport } from '../delivery/delivery.ts';
import { receiptChoices, receiptCommands, receiptText } from '../delivery/receipts.ts';
import type { Answered } from './stage-types.ts';

/** Names the message and not "the last answer", because it may be pressed hours later and by anybody in the chat. */
const whyChoice = ({ inboxId, locale }: TurnContext): Choice => ({
  label: sourceTexts(locale).why(),
  command: `/why ${inboxId}`,
});

/** Discord and Slack show this many buttons below a message. */
const MAX_BUTTONS = 25;
const THUMBS = 2;

const QUESTION = /[?？]\s*$/u;

const isModelAsking = ({ answer: { needsInput, cleanContent }, displayed }: Answered): boolean =>
  needsInput || (!displayed.isBare && QUESTION.test(cleanContent));

export interface FeedbackSettings {
  readonly mode?: FeedbackMode | undefined;
  /** By platform (`discord`) or chat (`discord:123`). */
  readonly channels: Readonly<Record<string, FeedbackMode>>;
}

/** The setting of the chat overrides that of its platform. A channel without a preference of its own cannot ask. */
export const asksFeedback = (
  { mode, channels }: FeedbackSettings,
  { channelId, chatId, chatType }: ChatPlace,
  preferred: FeedbackMode | undefined,
): boolean => {
  if (preferred === undefined) return false;
  const chosen = channels[`${channelId}:${chatId}`] ?? channels[channelId] ?? mode ?? preferred;
  return chosen === 'on' || (chosen === 'direct' && chatType === 'direct');
};

interface DeliverDeps {
  readonly delivery: Delivery;
  readonly feedback: FeedbackSettings;
}

/** Sends the answer. An empty answer becomes a message, never silence. */
export const deliver = (deps: DeliverDeps): PipelineStage<Answered, DeliveryReport> => ({
  name: 'deliver',
  execute: async (input, signal) => {
    const {
      facts,
      media,
      receipts = [],
      onlyMe = [],
      dependsOnZone,
      isExplainable,
      answeredBy,
    } = input.result;
    const { cleanContent } = input.answer;
    const { cards, choices: offered, typed, isUnclear } = input.displayed;
    // A message that stands for a missing answer is not the model's.
    const { feedbackMode } = input.channel.capabilities;
    const isRated = cleanContent !== '' && asksFeedback(deps.feedback, input.ctx, feedbackMode);
    // Asked by the program: a model could forget to mention a guessed zone.
    const question = dependsOnZone ? zoneQuestion(input.ctx) : undefined;
    const isEmpty = cleanContent === '' && receipts.length === 0;
    const text = isEmpty ? failureTexts(input.ctx.locale).emptyAnswer() : cleanContent;
    const isAsking = isModelAsking(input);
    // Where a number picks a choice, it may also be the answer to the model's question.
    const hidesControls = isAsking && input.channel.capabilities.numbersChoices === true;
    const below = [
      receiptText(receipts, text),
      ...(hidesControls ? [receiptCommands(receipts)] : []),
      ...(question ? [question.text] : []),
    ];
    const zones = question?.choices ?? [];
    // A typed yes is then for the model, and the zone has its buttons.
    const asking = isAsking ? zones.map(({ answers: _answers, ...zone }) => zone) : zones;
    const sources = isExplainable ? [whyChoice(input.ctx)] : [];
    const changes = hidesControls ? [] : receiptChoices(receipts);
    const room =
      MAX_BUTTONS - asking.length - changes.length - onlyMe.length - sources.length - (isRated ? THUMBS : 0);
    // A name that is unclear is what the model asks about.
    const controls = hidesControls && !isUnclear ? [] : offered.slice(0, room);
    const choices = [...asking, ...onlyMe, ...changes, ...controls, ...sources];
    const reply = {
      text,
      facts,
      ...(media && { media }),
      ...(cards && { cards }),
      ...(typed !== undefined && { typed }),
      below,
      ...(choices.length > 0 && { choices }),
      ...(isRated && { rated: { answerId: input.ctx.inboxId, ...answeredBy } }),
    };
    const report = await deps.delivery.deliver(input.ctx, reply, input.channel, signal);
    const failure = deliveryFailure(report);
    return failure ? StageResult.abort(failure.message, failure) : StageResult.continue(report);
  },
});
