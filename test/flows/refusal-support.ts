import { asId, type ChatId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';

/** For flows in which a provider refuses a request. */
export const GROUP: Partial<MsgContext> = {
  chatType: 'group',
  chatId: asId<ChatId>('G1'),
  mentionsBot: true,
};

export const CLAUDE = { FINCLAW_MODEL: 'sonnet', FINCLAW_FALLBACKS: 'none' };
export const GPT = { FINCLAW_MODEL: 'gpt', FINCLAW_FALLBACKS: 'none' };
/** A server that speaks the chat API of OpenAI. */
export const CHAT = {
  env: { FINCLAW_MODEL: 'gpt-4o-local', FINCLAW_FALLBACKS: 'none' },
  config: {
    providers: { openai: { api: 'chat' } },
    models: {
      definitions: {
        'gpt-4o-local': {
          provider: 'openai',
          contextWindow: 128_000,
          maxOutputTokens: 2_000,
          vision: true,
        },
      },
    },
  },
};

export const badRequest = (message: string, code?: string): FakeReply => ({
  kind: 'status',
  status: 400,
  message,
  ...(code === undefined ? {} : { code }),
});
