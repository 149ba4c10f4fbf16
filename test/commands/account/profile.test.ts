import { describe, expect, it } from 'vitest';
import { profile } from '#commands/account/profile.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { profileTexts } from '#commands/account/texts.ts';
import { asId, type ChannelId, type UserId } from '#src/kernel/ids.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import type { UserProfile } from '#src/kernel/people/profile.ts';
import { everyRow } from '#test/support/every-row.ts';
import { runCommand } from '../support.ts';

const FULL: UserProfile = {
  riskTolerance: 'conservative',
  preferredMarkets: ['KRX', 'crypto'],
  complianceLevel: 'professional',
  locale: 'ko',
  timeZone: 'America/New_York',
};
const LOCALES: readonly Locale[] = ['en', 'ko'];

const setUp = (stored: UserProfile = {}, moved: readonly string[] = []) => {
  const settled: (readonly [from: string, to: string])[] = [];
  const rows = new Map<string, UserProfile>([['test mina', stored]]);
  const command = profile({
    profiles: {
      get: async (channelId, userId) => rows.get(`${channelId} ${userId}`) ?? {},
      change: async (channelId, userId, change) => {
        const changed = change(rows.get(`${channelId} ${userId}`) ?? {});
        if (changed) rows.set(`${channelId} ${userId}`, changed);
        return changed;
      },
    },
    zones: {
      settle: async (requester, timeZone) => {
        settled.push([requester.timeZone, timeZone]);
        return settled.length > 1 ? [] : moved;
      },
    },
  });
  /** Typed as one line, as a person does. */
  const ask = async (line = '', ctx: Partial<TurnContext> = {}): Promise<string> => {
    const args = line === '' ? [] : line.split(' ');
    const { content, ephemeral } = await runCommand(command, args, ctx);
    // It is personal wherever it was typed.
    expect(ephemeral).toBe(true);
    return content;
  };
  return { ask, rows, settled, command, stored: () => rows.get('test mina') };
};

describe('/profile', () => {
  it('shows all, and each can be pressed (en)', async () => {
    const { command, ask } = setUp(FULL);
    expect(await ask()).toBe(`**Your profile**
- Risk tolerance: conservative
- Markets: Korean stocks, crypto
- Investor level: professional
- Language: Korean
- Time zone: America/New_York (01:30, set by you)

Only you see this. How you invest is not used in groups and channels.`);
    const { choices = [], typed } = await runCommand(command, []);
    expect(choices.map(({ command: said }) => said)).toEqual([
      '/profile risk',
      '/profile markets',
      '/profile level',
      '/profile language',
      '/profile timezone',
    ]);
    expect(typed).toContain(profileTexts('en').forms.timeZone);
  });

  it('shows it in Korean, and what applies where nothing is set', async () => {
    const asked = await setUp().ask('', { locale: 'ko', zoneFrom: 'language', channelId: asId('discord') });
    expect(asked).toBe(`**내 프로필**
- 위험 성향: 안 정함
- 관심 시장: 안 정함
- 투자자 수준: 안 정함
- 언어: 쓰시는 말 그대로
- 시간대: Asia/Seoul (15:30, Discord 언어로 추정)

나만 볼 수 있어요. 투자 성향은 그룹과 채널에서는 쓰지 않아요.`);
  });

  it('shows one entry with its values, each of which can be pressed', async () => {
    expect(await setUp(FULL).ask('risk')).toBe('Risk tolerance: conservative');
    expect(await setUp().ask('Risk')).toBe('Risk tolerance: not set');
    for (const entry of ['risk', 'markets', 'level', 'language', 'timezone']) {
      const { choices = [], typed } = await runCommand(setUp().command, [entry]);
      expect(choices.length).toBeGreaterThan(2);
      expect(typed).toContain(`/profile ${entry} `);
      for (const { command: said } of choices.filter((each) => !each.command.endsWith('…'))) {
        expect(await setUp(FULL).ask(said.slice('/profile '.length))).not.toContain('not something I know');
      }
    }
  });

  it('asks in a form for what has no button', () => {
    const { form } = setUp().command;
    expect(form?.open(['timezone', '…'], 'ko')).toMatchObject({
      id: 'completes:/profile timezone',
      title: '시간대',
      fields: [{ label: '예: 시카고, UTC+9' }],
    });
    expect(form?.open(['timezone'], 'ko')).toBeUndefined();
    expect(form?.open(['colour', '…'], 'ko')).toBeUndefined();
  });

  it('takes a list of no markets for none', async () => {
    expect(await setUp({ preferredMarkets: [] }).ask('markets')).toContain('Markets: not set');
  });

  it("is the sender's own on this platform, also in a group and of an administrator", async () => {
    const { ask, rows, stored } = setUp(FULL);
    const jun = { channelId: asId<ChannelId>('slack'), senderId: asId<UserId>('jun') };
    const answer = await ask('risk high', { ...jun, chatType: 'group', isAdmin: true });
    expect(answer).toContain('aggressive');
    expect(rows.get('slack jun')).toEqual({ riskTolerance: 'aggressive' });
    expect(stored()).toEqual(FULL);
    expect(await ask('', { ...jun, chatType: 'channel' })).not.toContain('Korean stocks,');
  });
});

describe('/profile with a value', () => {
  everyRow<[string, UserProfile]>([
    ['risk moderate', { riskTolerance: 'moderate' }],
    ['RISK Moderate', { riskTolerance: 'moderate' }],
    ['위험 보수', { riskTolerance: 'conservative' }],
    ['위험 중립', { riskTolerance: 'moderate' }],
    ['투자성향 공격형', { riskTolerance: 'aggressive' }],
    ['risk 공격', { riskTolerance: 'aggressive' }],
    ['위험 conservative', { riskTolerance: 'conservative' }],
    ['markets KRX US', { preferredMarkets: ['KRX', 'US'] }],
    ['markets fx, us,KRX', { preferredMarkets: ['KRX', 'US', 'FX'] }],
    ['market us us US', { preferredMarkets: ['US'] }],
    ['시장 국내 미국 코인 환율', { preferredMarkets: ['KRX', 'US', 'crypto', 'FX'] }],
    ['시장 국내 주식 및 코인', { preferredMarkets: ['KRX', 'crypto'] }],
    ['markets all', { preferredMarkets: ['KRX', 'US', 'crypto', 'FX'] }],
    ['level professional', { complianceLevel: 'professional' }],
    ['수준 개인', { complianceLevel: 'retail' }],
    ['level 기관', { complianceLevel: 'institutional' }],
    ['language en', { locale: 'en' }],
    ['언어 한국어', { locale: 'ko' }],
    ['timezone asia/seoul', { timeZone: 'Asia/Seoul' }],
    ['timezone New York', { timeZone: 'America/New_York' }],
    ['시간대 뉴욕', { timeZone: 'America/New_York' }],
  ])('stores %j and leaves the rest', async (line, change) => {
    const { ask, stored } = setUp();
    await ask(line);
    expect(stored()).toEqual(change);
    const full = setUp(FULL);
    await full.ask(line);
    expect(full.stored()).toEqual({ ...FULL, ...change });
  });

  it.each([
    ['en', 'risk high', 'Risk tolerance: **aggressive**. I keep to this'],
    ['ko', '위험 공격', '위험 성향: **공격적**. 다음 질문부터'],
    ['en', 'markets us krx', 'Markets: **Korean stocks, US stocks**. I look at these'],
    ['ko', '수준 기관', '투자자 수준: **기관 투자자**. 다음 질문부터'],
    ['en', 'timezone london', 'Time zone: **Europe/London (06:30, set by you)**. Times in my'],
    ['ko', '시간대 뉴욕', '시간대: **America/New_York (01:30, 직접 설정)**. 이제'],
  ] as const)('says in %s after %j what that changes', async (locale, line, beginning) => {
    const answer = await setUp().ask(line, { locale });
    expect(answer.slice(0, beginning.length)).toBe(beginning);
  });

  it('answers in the language that was just chosen', async () => {
    expect(await setUp().ask('language ko', { locale: 'en' })).toMatch(/^언어: \*\*한국어\*\*\. 이제/);
    expect(await setUp().ask('언어 영어', { locale: 'ko' })).toMatch(/^Language: \*\*English\*\*\. I answer/);
  });

  it('offers in its list only what it takes', async () => {
    for (const locale of LOCALES) {
      for (const form of Object.values(profileTexts(locale).forms)) {
        const [, entry = '', values = ''] = /^\/profile (\S+) (.+)$/.exec(form) ?? [];
        for (const value of values.split(' | ')) {
          const { ask, stored } = setUp();
          await ask(`${entry} ${value}`, { locale });
          expect([form, value, Object.keys(stored() ?? {}).length]).toEqual([
            form,
            value,
            ['auto', '자동'].includes(value) ? 0 : 1,
          ]);
        }
      }
    }
  });

  everyRow([
    ['risk yolo', 'riskTolerance', 'yolo'],
    ['risk low high', 'riskTolerance', 'low high'],
    ['markets KRX Mars', 'preferredMarkets', 'krx mars'],
    ['markets stocks', 'preferredMarkets', 'stocks'],
    ['markets ,', 'preferredMarkets', ','],
    ['level __proto__', 'complianceLevel', 'proto'],
    ['language fr', 'locale', 'fr'],
    ['timezone Mars/Olympus', 'timeZone', 'mars/olympus'],
    ['timezone auto', 'timeZone', 'auto'],
    ['risk **`x`** ||y||', 'riskTolerance', 'x y'],
    [`risk ${'😀'.repeat(20_000)}`, 'riskTolerance', '😀'.repeat(32)],
    ['risk \u05d0\u05d1', 'riskTolerance', '\u05d0\u05d1'],
  ] as const)('stores nothing of %.30j, and says what is right', async (line, field, typed) => {
    for (const locale of LOCALES) {
      const { ask, stored } = setUp(FULL);
      const { wrong, wrongZone, fields } = profileTexts(locale);
      const content = field === 'timeZone' ? wrongZone({ typed }) : wrong({ typed, field: fields[field] });
      expect((await ask(line, { locale })).toLowerCase()).toBe(content.toLowerCase());
      expect(stored()).toBe(FULL);
    }
  });

  it.each([
    ['colour blue', 'colour'],
    ['constructor x', 'constructor'],
    ['**bold** x', 'bold'],
    ['moderate', 'moderate'],
    ['reset all', 'reset'],
    [`${'ㅋ'.repeat(5_000)} x`, 'ㅋ'.repeat(32)],
  ])('names its entries for %.20j', async (line, typed) => {
    for (const locale of LOCALES) {
      const { ask, stored } = setUp(FULL);
      const { unknownField } = profileTexts(locale);
      const answer = await ask(line, { locale });
      expect(answer).toContain(unknownField({ typed }));
      expect(stored()).toBe(FULL);
    }
  });

  it('keeps two changes that are typed at once', async () => {
    const { ask, stored } = setUp();
    await Promise.all([ask('risk low'), ask('markets us'), ask('level pro')]);
    expect(stored()).toEqual({
      riskTolerance: 'conservative',
      preferredMarkets: ['US'],
      complianceLevel: 'professional',
    });
  });

  it('takes the next change after one that could not be stored', async () => {
    const failures = [new Error('disk full')];
    const command = profile({
      profiles: {
        get: async () => ({}),
        change: async (_channelId, _userId, change) => {
          const failure = failures.pop();
          if (failure) throw failure;
          return change({});
        },
      },
      zones: { settle: async () => [] },
    });
    await expect(runCommand(command, ['risk', 'low'])).rejects.toThrow('disk full');
    expect((await runCommand(command, ['risk', 'low'])).content).toContain('conservative');
  });
});

describe('/profile that takes back', () => {
  it.each([
    ['risk none', 'riskTolerance'],
    ['시장 없음', 'preferredMarkets'],
    ['level NONE', 'complianceLevel'],
    ['language auto', 'locale'],
    ['언어 자동', 'locale'],
    ['언어 없음', 'locale'],
    ['시간대 해제', 'timeZone'],
  ] as const)('one entry with %j', async (line, field) => {
    for (const locale of LOCALES) {
      const { ask, stored } = setUp(FULL);
      expect(await ask(line, { locale })).toBe(profileTexts(locale).cleared[field]());
      expect(Object.keys(stored() ?? {}).toSorted()).toEqual(
        Object.keys(FULL)
          .filter((name) => name !== field)
          .toSorted(),
      );
    }
  });

  it.each(['reset', 'RESET', '초기화'])('all with %j', async (line) => {
    for (const locale of LOCALES) {
      const { ask, stored } = setUp(FULL);
      expect(await ask(line, { locale })).toBe(profileTexts(locale).reset());
      expect(stored()).toEqual({});
    }
  });
});
