import { describe, expect, it } from 'vitest';
import { context } from '#commands/chat/context.ts';
import { contextTexts } from '#commands/chat/texts.ts';
import { asId, type SessionKey } from '#src/kernel/ids.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import type { ContextReport } from '#src/kernel/agent/conversations.ts';
import { contextReport, runCommand } from '../support.ts';

const setUp = (report: Partial<ContextReport> = {}) => {
  const calls: unknown[] = [];
  const command = context({
    conversations: {
      context: async (...call) => {
        calls.push(call);
        return contextReport(report);
      },
    },
  });
  const ask = (ctx: Partial<TurnContext> = {}, args: readonly string[] = []) =>
    runCommand(command, args, ctx);
  return { ask, calls };
};

const barOf = (content: string): string => /[▓░]+/u.exec(content)?.[0] ?? '';

describe('/context', () => {
  it('tells what fills the window, and when older parts are summed up (en)', async () => {
    expect(await setUp().ask()).toEqual({
      ephemeral: true,
      content: `**Context window of Claude Sonnet 5.5**

50,000 of 200,000 tokens used (25%)
▓▓▓▓▓░░░░░░░░░░░░░░░ as the last request measured it

- Instructions — 2,000 tokens (4%)
- Tools — 3,000 tokens (6%)
- Conversation — 34,950 tokens (70%)
- Results of tools — 10,000 tokens (20%)
- Summary of older parts — 50 tokens (<1%)

The model reads 42 messages of this conversation.
From 163,036 tokens on, I shorten the older parts of this conversation.
8,192 tokens are kept free for the answer.
\`/reset\` starts over with an empty conversation.`,
    });
  });

  it('tells it in Korean', async () => {
    expect((await setUp({ isMeasured: false }).ask({ locale: 'ko' })).content)
      .toBe(`**Claude Sonnet 5.5 컨텍스트**

전체 200,000토큰 중 50,000토큰 사용 (25%)
▓▓▓▓▓░░░░░░░░░░░░░░░ 추정치

- 기본 지침 — 2,000토큰 (4%)
- 도구 설명 — 3,000토큰 (6%)
- 대화 — 34,950토큰 (70%)
- 도구 결과 — 10,000토큰 (20%)
- 이전 대화 요약 — 50토큰 (<1%)

모델이 읽는 이 대화의 메시지: 42개
163,036토큰을 넘으면 이 대화의 오래된 부분을 줄입니다.
답변을 위해 8,192토큰을 비워 둡니다.
\`/reset\`으로 빈 대화에서 다시 시작할 수 있습니다.`);
  });

  it('asks for this conversation and its agent, whose name may hold a separator', async () => {
    const { ask, calls } = setUp();
    const sessionKey = asId<SessionKey>('agent:desk%3Aseoul:slack:T1:group:C1');
    await ask({ sessionKey, chatType: 'group' });
    expect(calls).toEqual([[sessionKey, 'desk:seoul', expect.objectContaining({ chatType: 'group' })]]);
  });

  it.each([
    { used: 0, bar: '░'.repeat(20), share: '(0%)' },
    // Little is not nothing.
    { used: 1, bar: `▓${'░'.repeat(19)}`, share: '(<1%)' },
    { used: 199_999, bar: '▓'.repeat(20), share: '(100%)' },
    { used: 200_000, bar: '▓'.repeat(20), share: '(100%)' },
    // A model with a smaller window was chosen meanwhile.
    { used: 900_000, bar: '▓'.repeat(20), share: '(450%)' },
  ])('shows $used tokens as $share', async ({ used, bar, share }) => {
    const { content } = await setUp({ usedTokens: used }).ask();
    expect(barOf(content)).toBe(bar);
    expect(content.split('\n')[2]).toContain(share);
  });

  it('has a sense also where nothing was said yet', async () => {
    const breakdown = { systemPrompt: 0, tools: 0, conversation: 0, toolResults: 0, summary: 0 };
    const { content } = await setUp({ usedTokens: 0, windowTokens: 0, breakdown, messageCount: 1 }).ask();
    expect(content).not.toMatch(/NaN|Infinity|undefined/);
    expect(content).toContain('reads 1 message of');
    expect(barOf(content)).toBe('░'.repeat(20));
  });

  it('takes whatever is typed behind it', async () => {
    const { content } = await setUp().ask({}, ['🧮'.repeat(10_000), '\u202e', '**x**']);
    expect(content).toContain(contextTexts('en').hint());
    expect(content).not.toContain('🧮');
  });
});
