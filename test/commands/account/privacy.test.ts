import { describe, expect, it } from 'vitest';
import { privacy, privacyDefinition } from '#commands/account/privacy.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { privacyTexts } from '#src/kernel/people/texts/privacy.ts';
import { asId, type ChannelId, type UserId } from '#src/kernel/ids.ts';
import type { MediaAttachment, TurnContext } from '#src/kernel/chat/message.ts';
import type { AccountDataCounts } from '#src/kernel/people/privacy.ts';
import { parseCommand } from '#src/chat/commands/command-registry.ts';
import { labelsOf } from '#src/people/store/rows.ts';
import { msgContext } from '#test/support/context.ts';
import { everyRow } from '#test/support/every-row.ts';
import { TABLES } from '#test/support/database.ts';

const LOCALES: readonly Locale[] = ['en', 'ko'];

const HERE = { messages: 1_234, conversations: 1, usageRecords: 56, reminders: 2, hasProfile: true };
const COUNTS: AccountDataCounts = {
  ...HERE,
  portfolios: 2,
  transactions: 1_034,
  alerts: 3,
  watched: 5,
  briefings: 1,
  others: [],
};
const LINKED: AccountDataCounts = {
  ...COUNTS,
  others: [{ channelId: asId<ChannelId>('discord'), userId: asId<UserId>('42'), name: 'Eve' }],
};
const FILE: MediaAttachment = {
  kind: 'file',
  mimeType: 'application/json',
  name: 'finclaw-data-2026-11-13.json',
  url: 'file:///exports/x.json',
};

const parsedLine = (line: string) => {
  const parsed = parseCommand(`/privacy ${line}`, ['/']);
  if (!parsed) throw new Error(`${line} is no command`);
  return parsed;
};

const setUp = (counts = COUNTS, retentionDays = 90) => {
  const calls: string[] = [];
  const command = privacy({
    accountData: {
      retentionDays,
      labels: labelsOf(TABLES).filter(({ of }) => of in COUNTS),
      counts: async (channelId, userId) => {
        calls.push(`counts ${channelId} ${userId}`);
        return counts;
      },
      erase: async (channelId, userId) => {
        calls.push(`erase ${channelId} ${userId}`);
        return counts;
      },
      export: async (channelId, userId, locale, timeZone) => {
        calls.push(`export ${channelId} ${userId} ${locale} ${timeZone}`);
        return FILE;
      },
    },
  });
  const run = (line = '', ctx: Partial<TurnContext> = {}, flags?: ReadonlyMap<string, string | true>) => {
    const parsed = parsedLine(line);
    return command.execute(parsed.args, msgContext(ctx), new AbortController().signal, flags ?? parsed.flags);
  };
  const ask = async (
    line = '',
    ctx: Partial<TurnContext> = {},
    flags?: ReadonlyMap<string, string | true>,
  ) => {
    const result = await run(line, ctx, flags);
    // It is personal wherever it was typed.
    expect(result.ephemeral).toBe(true);
    return result.content;
  };
  return { ask, run, calls };
};

describe('/privacy', () => {
  it('shows what is stored, for how long, and how to delete it (en)', async () => {
    const { ask, calls } = setUp();
    expect(await ask()).toBe(`**What I store about you**
- Your messages, with my answers: 1,234
- Direct conversations: 1
- Requests to models that were made for you: 56
- Reminders and notices: 2
- Your profile: stored, with the language and time zone that this platform reports, if any (see \`/profile\`)
- Portfolios: 2, with 1,034 transactions
- Alerts: 3
- On your watchlist: 5
- Briefings: 1

Messages, answers, ratings and requests are removed 90 days after they are done, a conversation the same time after its last message. Your profile, your settings, portfolios, watchlist, briefings, alerts and reminders that are still to come stay until you delete them. When I read your portfolio, alerts or other data to answer you, I log the tool’s name and the time under a pseudonym, and delete them after the same time; \`/privacy export\` shows them. Voice messages are sent to OpenAI to be transcribed, whichever model answers; I keep only the words, as part of your message.

Download it with \`/privacy export\`, or delete it now with \`/privacy delete\`.`);
    expect(calls).toEqual(['counts test mina']);
  });

  it('shows it in Korean', async () => {
    const { ask } = setUp({ ...COUNTS, hasProfile: false }, 7);
    expect(await ask('', { locale: 'ko' })).toBe(`**저장된 내 정보**
- 내 메시지와 그에 대한 답변: 1,234개
- 다이렉트 메시지 대화: 1개
- 나를 위해 모델에 보낸 요청 기록: 56개
- 알림과 안내: 2개
- 내 프로필: 설정 안 함
- 포트폴리오: 2개 (거래 1,034건)
- 가격 알림: 3개
- 관심종목: 5개
- 브리핑: 1개

메시지와 답변, 답변 평가, 요청 기록은 처리가 끝난 뒤 7일이 지나면, 대화는 마지막 메시지로부터 그만큼 지나면 삭제됩니다. 프로필과 설정, 포트폴리오, 관심종목, 브리핑, 가격 알림, 아직 보내지 않은 알림은 직접 삭제하실 때까지 보관합니다. 답변을 위해 포트폴리오나 가격 알림 같은 정보를 읽으면 사용한 도구와 시각을 이름 대신 코드로 기록하고 같은 기간이 지나면 삭제하며, \`/privacy export\`에서 확인하실 수 있습니다. 음성 메시지는 어떤 모델이 답하든 OpenAI로 보내 글로 옮기며, 옮긴 글만 메시지의 일부로 보관합니다.

파일로 받으시려면 \`/privacy export\`, 지금 삭제하시려면 \`/privacy delete\`를 입력해 주세요.`);
  });

  it("is about the sender on this platform, also in a group and of an administrator's", async () => {
    const { ask, calls } = setUp();
    const jun = { channelId: asId<ChannelId>('slack'), senderId: asId<UserId>('jun') };
    await ask('', { ...jun, chatType: 'group', isAdmin: true });
    await ask('delete --yes', { ...jun, chatType: 'channel', isAdmin: true });
    expect(calls).toEqual(['counts slack jun', 'erase slack jun']);
  });
});

describe('/privacy delete', () => {
  it.each(['delete', 'Delete', 'erase', '삭제'])(
    'explains %j and asks, and deletes nothing',
    async (line) => {
      for (const locale of LOCALES) {
        const { run, calls } = setUp(LINKED);
        const { content, ephemeral, choices } = await run(line, { locale });
        expect(ephemeral).toBe(true);
        expect(content.startsWith(privacyTexts(locale).confirm())).toBe(true);
        // How much would go, and who else loses it.
        const others = 'Discord `Eve` (`42`)';
        expect(content).toContain('1,034');
        expect(content).toContain(privacyTexts(locale).confirmShared({ others }));
        expect(choices?.map((choice) => choice.command)).toEqual([
          '/privacy delete --yes',
          '/privacy export',
        ]);
        expect(calls).toEqual(['counts test mina']);
      }
    },
  );

  it.each(['delete --yes', '--yes delete', '삭제 --yes', 'DELETE --yes'])(
    'deletes with %j and says what is gone and what is left',
    async (line) => {
      const { ask, calls } = setUp();
      expect(await ask(line)).toBe(
        `Deleted: 1,234 messages with my answers, 1 direct conversation, 2 reminders, 2 portfolios with 1,034 transactions, 3 alerts, 5 on your watchlist, 1 briefing, your profile and your settings. 56 requests to models stay in the sums under a code instead of your name.

This message of yours, and any that I am still answering, are removed after 90 days; what was said in groups and channels stays there.`,
      );
      expect(calls).toEqual(['erase test mina']);
    },
  );

  it('says what is shared with whom, and that messages there are not part of it', async () => {
    const { ask } = setUp(LINKED);
    const others = 'Discord `Eve` (`42`)';
    expect(await ask('')).toContain(privacyTexts('en').shared({ others }));
    expect(await ask('delete --yes')).toContain(privacyTexts('en').doneShared({ others }));
  });

  it('deletes where the flag was read before', async () => {
    const { ask, calls } = setUp();
    const answer = await ask('삭제', { locale: 'ko' }, new Map([['yes', true]]));
    expect(answer).toContain('다이렉트 메시지 대화 1개');
    expect(calls).toEqual(['erase test mina']);
  });

  it.each(['--yes', 'yes', 'delete yes', 'delete now --yes', 'delete all', 'everything', 'delete -yes'])(
    'deletes nothing with %j, and shows how it is typed',
    async (line) => {
      for (const locale of LOCALES) {
        const { ask, calls } = setUp();
        expect(await ask(line, { locale })).toContain('/privacy [export | delete]');
        expect(calls).toEqual([]);
      }
    },
  );
});

describe('/privacy export', () => {
  it.each(['export', 'EXPORT', '내보내기'])(
    'gives a file with %j, to keep in a direct chat',
    async (line) => {
      const { run, calls } = setUp();
      const { content, media, ephemeral } = await run(line, { locale: 'ko' });
      expect([media, ephemeral]).toEqual([[FILE], false]);
      expect(content).toContain(FILE.name);
      expect(calls).toEqual(['export test mina ko Asia/Seoul']);
    },
  );

  it.each(['group', 'channel'] as const)('gives it to the person alone in a %s', async (chatType) => {
    const { run } = setUp();
    expect(await run('export', { chatType })).toMatchObject({ ephemeral: true, media: [FILE] });
  });

  everyRow([
    'export',
    'EXPORT',
    '  "export"  ',
    '받기',
    'export --yes',
    '--yes download',
    'export --x=y --',
    'export -- --yes',
    '-- --yes export',
    'export "--yes"',
    'export "" ',
    '"" export',
    'ｅｘｐｏｒｔ',
    'export\u3164',
    'export now',
    'delete --yes',
    '',
  ])('has the cooldown exactly where %j exports', async (line) => {
    const { run, calls } = setUp();
    const { args, flags } = parsedLine(line);
    await run(line);
    const pause = privacyDefinition.pauseOf?.(args, flags);
    expect(pause?.action).toBe(calls.some((call) => call.startsWith('export')) ? 'export' : undefined);
  });

  it('writes no file where more was typed than is understood', async () => {
    const { ask, calls } = setUp();
    expect(await ask('export jun')).toContain('/privacy [export | delete]');
    expect(calls).toEqual([]);
  });
});

describe('the note about privacy', () => {
  it('says for how long, and where to see and delete it', () => {
    expect(privacyTexts('en').note({ days: 1 })).toBe(
      'I keep our conversation until 1 day after its last message, and the settings you choose. `/privacy` shows what is stored, and deletes it.',
    );
    expect(privacyTexts('ko').note({ days: 90 })).toContain('90일');
  });
});
