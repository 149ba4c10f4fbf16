import type { AnswerSources } from '#src/kernel/agent/answer-sources.ts';
import type { Command } from '#src/kernel/chat/command.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import { asId, type InboxId } from '#src/kernel/ids.ts';
import { ephemeral, usageOf } from '../shared/results.ts';
import { whyTexts } from './why-texts.ts';
import { explanationText, shownFacts } from './why-text.ts';

export const whyDefinition: CommandDefinition = {
  name: 'why',
  aliases: ['근거', '출처'],
  description: {
    ko: '마지막 답변의 숫자가 어디에서 나왔는지 하나씩 보여 줍니다',
    en: 'where the numbers in an answer come from',
  },
  usage: { ko: '/why', en: '/why' },
  category: 'general',
  isPrivate: true,
  // Account data is left out in shared chats.
  isHarmless: true,
};

const MESSAGE_ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

export const why = ({ answerSources }: { readonly answerSources: AnswerSources }): Command => ({
  definition: whyDefinition,
  execute: async (args, ctx) => {
    const { locale, chatType } = ctx;
    const t = whyTexts(locale);
    // The button below an answer names the message that it answers.
    const [id, ...others] = args.map((word) => word.toLowerCase());
    if (others.length > 0 || (id !== undefined && !MESSAGE_ID.test(id)))
      return usageOf(whyDefinition, locale);
    const found = await answerSources.explain(ctx, id === undefined ? undefined : asId<InboxId>(id));
    switch (found.status) {
      case 'found':
        return { ...ephemeral(explanationText(found, ctx)), facts: shownFacts(found) };
      case 'none':
        return ephemeral(chatType === 'direct' ? t.none() : t.noneHere());
      case 'gone':
        return ephemeral(t.gone());
      case 'other':
        return ephemeral(t.other());
    }
    return found satisfies never;
  },
});
