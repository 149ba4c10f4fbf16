import { blocksIn, textsIn } from '#src/agent/content-blocks.ts';
import { evidenceIn } from '#src/agent/grounding/facts/evidence.ts';
import { offline, OFFLINE_MODEL } from '#src/agent/offline/offline-provider.ts';
import type { Features } from '#src/features/open/open-features.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import { requestTo, text } from '#test/agent/providers/request.ts';
import { toolContextOf } from '#test/support/tool-context.ts';
import { TODAY } from '../sample-features.ts';
import type { Said } from './said.ts';

const SENTENCES: Readonly<Record<Locale, readonly string[]>> = {
  ko: [
    '삼성전자 얼마야?',
    '애플 PER 알려줘',
    '100달러 원화로',
    '삼성전자 코스피 비교',
    '10만원의 15%',
    '오늘 시장 어때?',
    '삼성전자 10주면 얼마야?',
    '애플 지난달 주가 흐름',
    '비트코인 김프 얼마야?',
    '삼성전자 RSI 알려줘',
  ],
  en: [
    'How much is Apple?',
    'Apple P/E',
    '100 dollars in won',
    'compare Apple and S&P 500',
    '15% of 240',
    'how are the markets?',
    'how much are 10 shares of Apple in won?',
  ],
};

/** What the offline model answers, with the results of its own calls as evidence. */
export const sayOffline = async (
  { readSentence, tools }: Features,
  locale: Locale,
): Promise<readonly Said[]> => {
  const { signal } = new AbortController();
  const model = offline({ readSentence });
  const ask = async (messages: readonly ConversationMessage[]): Promise<ConversationMessage> => {
    const definitions = tools.map(({ definition }) => definition);
    const request = requestTo('offline', OFFLINE_MODEL.id, { messages, tools: definitions });
    return { role: 'assistant', content: (await model.chatCompletion(request, signal)).blocks };
  };
  const resultsOf = async (called: ConversationMessage): Promise<ConversationMessage> => ({
    role: 'tool',
    content: await Promise.all(
      blocksIn([called], 'tool_use').map(async ({ id, name, input }) => {
        const tool = tools.find(({ definition }) => definition.name === name);
        const result = await tool?.invoke(input, toolContextOf({ locale }), signal);
        if (!result) throw new Error(`There is no ${name}`);
        return { type: 'tool_result' as const, toolUseId: id, ...result };
      }),
    ),
  });
  const answerTo = async (words: string): Promise<Said> => {
    const context = `<context>\ntime: ${TODAY.toString()}T07:00+09:00\nlanguage: ${locale}\n</context>`;
    const messages: ConversationMessage[] = [{ role: 'user', content: [text(words), text(context)] }];
    let answer = await ask(messages);
    if (blocksIn([answer], 'tool_use').length === 0) throw new Error(`No call for ${words}`);
    while (blocksIn([answer], 'tool_use').length > 0) {
      messages.push(answer, await resultsOf(answer));
      answer = await ask(messages);
    }
    return { to: words, content: textsIn(answer).join(''), evidence: evidenceIn(messages, TODAY) };
  };
  return Promise.all(SENTENCES[locale].map(answerTo));
};
