import type { ConversationMessage } from '#src/kernel/model.ts';
import type { Evidence } from './check-answer.ts';

/** Collects what the answer at the end of a conversation may rest on: facts, the person's words and untyped text. */
export const evidenceIn = (_messages: readonly ConversationMessage[], today: Temporal.PlainDate): Evidence => ({
  facts: [],
  ownText: '',
  looseText: '',
  today,
});
