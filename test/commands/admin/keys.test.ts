import { describe, expect, it } from 'vitest';
import { keys } from '#commands/admin/keys.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import { keyTexts } from '#commands/admin/texts.ts';
import { keyEntryTexts } from '#src/kernel/agent/texts/key-entry.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import type { KeyStatus } from '#src/kernel/agent/keys.ts';
import { keyStatus, runCommand } from '../support.ts';

const MAIN = keyStatus();
const SPARE = keyStatus({
  id: 'key-01993b7f',
  name: '`spare`',
  masked: 'sk-ant-…77xQ',
  isSaved: false,
  health: 'degraded',
  cooldownMs: 61_001,
});
const OFF = keyStatus({
  id: 'spare-ffee0011',
  provider: 'openai',
  name: 'old',
  masked: 'sk-…0000',
  isActive: false,
  health: 'disabled',
});
const ENVIRONMENT = keyStatus({
  id: 'environment:openai',
  provider: 'openai',
  name: 'OPENAI_API_KEY',
  masked: 'sk-…1111',
  source: 'environment',
  isSaved: false,
  health: 'unhealthy',
  cooldownMs: 86_341_001,
});

const setUp = (
  list: readonly KeyStatus[] = [MAIN, SPARE, OFF, ENVIRONMENT],
  outcome: 'done' | 'unknown' | 'fixed' = 'done',
  failure?: Error,
) => {
  const calls: string[] = [];
  const command = keys({
    keys: {
      list: async () => list,
      setActive: async (id, isActive) => {
        calls.push(`${id} ${isActive ? 'on' : 'off'}`);
        return outcome;
      },
      remove: async (id) => {
        calls.push(`${id} removed`);
        return outcome;
      },
      setPreferred: async (id, isPreferred) => {
        calls.push(`${id} ${isPreferred ? 'first' : 'not first'}`);
        return outcome;
      },
      add: async (...given) => {
        calls.push(['added', ...given].join(' '));
        if (failure) throw failure;
        return MAIN;
      },
    },
  });
  const ask = async (args: readonly string[] = [], ctx: Partial<TurnContext> = {}): Promise<string> => {
    const { content, ephemeral } = await runCommand(command, args, { isAdmin: true, ...ctx });
    // Whatever it says about keys is said to the asker alone.
    expect(ephemeral).toBe(true);
    return content;
  };
  return { ask, calls, form: command.form };
};

const usageOf = (locale: 'en' | 'ko'): string =>
  commandTexts(locale).usage({
    usage: `/keys [add <${locale === 'en' ? 'provider' : '제공자'}> | disable | enable | prefer | remove <${locale === 'en' ? 'id' : 'ID'}>]`,
  });

describe('/keys', () => {
  it('lists the keys by provider: masked, from where, how they do (en)', async () => {
    expect(await setUp().ask()).toBe(`**Keys of the model providers**

Anthropic
- \`key-01993b7e\` · \`main\` · \`sk-ant-…9f2A\` · added key · saved encrypted · healthy
- \`key-01993b7f\` · \`spare\` · \`sk-ant-…77xQ\` · added key · in memory only · some failures · paused for another 1 min, 2 sec

OpenAI
- \`spare-ffee0011\` · \`old\` · \`sk-…0000\` · added key · saved encrypted · switched off
- \`environment:openai\` · \`OPENAI_API_KEY\` · \`sk-…1111\` · environment · failing · paused for another 24 hr

${keyTexts('en').hint()}`);
  });

  it.each([[[]], [['list']], [['목록']], [['LIST']]])('lists them in Korean for %j', async (args) => {
    const fifth = keyStatus({ ...ENVIRONMENT, id: 'x', name: 'x', source: 'aws-secrets', cooldownMs: 1 });
    expect(await setUp([SPARE, fifth]).ask(args, { locale: 'ko' })).toBe(`**모델 API 키**

Anthropic
- \`key-01993b7f\` · \`spare\` · \`sk-ant-…77xQ\` · 추가한 키 · 메모리에만 있음 · 가끔 실패 · 1분 2초 후 다시 사용

OpenAI
- \`x\` · \`x\` · \`sk-…1111\` · AWS 시크릿 매니저(Secrets Manager) · 계속 실패 · 1초 후 다시 사용

${keyTexts('ko').hint()}`);
  });

  it('leaves out what a key does not have', async () => {
    const vault = keyStatus({ id: 'aws-secrets:openai', name: '', masked: '', source: 'aws-secrets' });
    expect(await setUp([vault]).ask()).toContain('- `aws-secrets:openai` · AWS Secrets Manager · healthy');
  });

  it.each(['en', 'ko'] as const)('says how to set a key where there is none (%s)', async (locale) => {
    const content = await setUp([]).ask([], { locale });
    expect(content).toBe(keyTexts(locale).none());
    expect(content).toContain('`ANTHROPIC_API_KEY`');
    expect(content).toContain('`OPENAI_API_KEY`');
  });

  it.each([[[]], [['list']], [['disable', MAIN.id]], [['remove', MAIN.id]], [['add']]])(
    'is for administrators alone, also where a role has that name: %j',
    async (args) => {
      const { ask, calls } = setUp();
      for (const locale of ['en', 'ko'] as const) {
        const content = await ask(args, { locale, isAdmin: false, userRoles: ['admin'] });
        expect(content).toBe(commandTexts(locale).missingRole({ name: 'keys' }));
      }
      expect(calls).toEqual([]);
    },
  );

  it('asks for the role of administrators, so that others do not see it in /help', () => {
    const { definition } = keys({
      keys: {
        list: async () => [],
        setActive: async () => 'done',
        remove: async () => 'done',
        setPreferred: async () => 'done',
        add: async () => MAIN,
      },
    });
    expect(definition).toMatchObject({ category: 'admin', requiredRoles: ['admin'] });
  });
});

describe('/keys disable, enable, remove', () => {
  it.each([
    ['disable', 'en', 'off', 'Key `spare-ffee0011` (sk-…0000) is switched off.'],
    ['끄기', 'ko', 'off', '`spare-ffee0011` 키(sk-…0000)를 껐습니다.'],
    ['enable', 'en', 'on', 'Key `spare-ffee0011` (sk-…0000) is switched on.'],
    ['켜기', 'ko', 'on', '`spare-ffee0011` 키(sk-…0000)를 켰습니다.'],
    ['remove', 'en', 'removed', 'Key `spare-ffee0011` (sk-…0000) is removed.'],
    ['삭제', 'ko', 'removed', '`spare-ffee0011` 키(sk-…0000)를 삭제했습니다.'],
  ] as const)('does what %s says (%s)', async (action, locale, done, sentence) => {
    const { ask, calls } = setUp();
    expect(await ask([action, OFF.id], { locale })).toBe(sentence);
    expect(calls).toEqual([`${OFF.id} ${done}`]);
  });

  it.each([
    ['prefer', 'en', false],
    ['우선', 'ko', false],
    ['prefer', 'en', true],
    ['우선', 'ko', true],
  ] as const)(
    'puts a key first with %s (%s), and takes that back where it is: %s',
    async (action, locale, isFirst) => {
      const key = keyStatus({ isPreferred: isFirst });
      const { ask, calls } = setUp([key, SPARE]);
      const t = keyTexts(locale);
      expect(await ask([action, key.id], { locale })).toBe((isFirst ? t.unpreferred : t.preferred)(key));
      expect(calls).toEqual([`${key.id} ${isFirst ? 'not first' : 'first'}`]);
    },
  );

  it.each(['en', 'ko'] as const)(
    'shows which key is used first, and no other as such (%s)',
    async (locale) => {
      const { ask } = setUp([keyStatus({ isPreferred: true }), SPARE]);
      const lines = (await ask([], { locale })).split('\n').filter((line) => line.startsWith('- '));
      expect(lines.map((line) => line.includes(keyTexts(locale).first()))).toEqual([true, false]);
    },
  );

  it.each(['s', 'spare-', 'SPARE-FFEE', OFF.id.toUpperCase()])(
    'takes the beginning of an id: %s',
    async (typed) => {
      const { ask, calls } = setUp();
      await ask(['disable', typed]);
      expect(calls).toEqual([`${OFF.id} off`]);
    },
  );

  it.each(['en', 'ko'] as const)('asks for more where several keys begin like that (%s)', async (locale) => {
    const { ask, calls } = setUp();
    expect(await ask(['remove', 'key-0199'], { locale })).toBe(
      keyTexts(locale).ambiguous({ ids: `\`${MAIN.id}\`, \`${SPARE.id}\`` }),
    );
    expect(calls).toEqual([]);
  });

  it('takes a whole id for that key, though another one begins with it', async () => {
    const { ask, calls } = setUp([keyStatus({ id: 'main' }), keyStatus({ id: 'main-2' })]);
    expect(await ask(['disable', 'main'])).toBe(keyTexts('en').disabled({ id: 'main', masked: MAIN.masked }));
    expect(calls).toEqual(['main off']);
  });

  it.each(['0', 'zzz', 'sk-ant-api03-this-is-a-real-key', '🔑'.repeat(10_000)])(
    'says that there is no such key, without repeating %.20j',
    async (typed) => {
      const { ask, calls } = setUp([OFF]);
      for (const locale of ['en', 'ko'] as const) {
        expect(await ask(['disable', typed], { locale })).toBe(keyTexts(locale).unknown());
      }
      expect(calls).toEqual([]);
    },
  );

  it('says so too when the key went away meanwhile', async () => {
    expect(await setUp([OFF], 'unknown').ask(['enable', 'spare'])).toBe(keyTexts('en').unknown());
  });

  it.each([
    ['en', 'environment'],
    ['ko', '환경 변수'],
  ] as const)('says where a fixed key is changed (%s)', async (locale, source) => {
    for (const action of ['disable', 'enable', 'remove']) {
      expect(await setUp(undefined, 'fixed').ask([action, 'environ'], { locale })).toBe(
        keyTexts(locale).fixed({ id: 'environment:openai', source }),
      );
    }
  });

  it.each([[['disable']], [['remove', '  ']], [['whatever']], [['']], [['x'.repeat(50_000), 'y']]])(
    'explains itself for %.20j',
    async (args) => {
      const { ask, calls } = setUp();
      expect(await ask(args)).toBe(usageOf('en'));
      expect(await ask(args, { locale: 'ko' })).toBe(usageOf('ko'));
      expect(calls).toEqual([]);
    },
  );
});

describe('/keys add', () => {
  it.each([
    ['en', 'add'],
    ['ko', '추가'],
  ] as const)('says where a form opens, and takes nothing from the chat (%s)', async (locale, typed) => {
    const { ask, calls } = setUp();
    expect(await ask([typed], { locale })).toBe(keyTexts(locale).add());
    const { add, leaked } = keyTexts(locale);
    // The name of a provider is no key.
    expect(await ask([typed, 'OpenAI'], { locale })).toBe(add());
    const answer = await ask([typed, 'anthropic', 'sk-ant-api03-oops'], { locale });
    expect(answer).toBe(`${add()}\n${leaked()}`);
    expect(calls).toEqual([]);
  });
});

describe('the form for a new key', () => {
  it.each([
    ['en', ['add', 'anthropic'], 'anthropic', 'Add Anthropic key'],
    ['ko', ['추가', 'OpenAI', 'sk-typed-too-early'], 'openai', 'OpenAI 키 추가'],
  ] as const)('opens for one provider, with a title that Slack takes (%s)', (locale, args, id, title) => {
    const form = setUp().form?.open(args, locale);
    expect(form).toMatchObject({ id, title });
    expect(form?.title.length).toBeLessThanOrEqual(24);
    expect(form?.fields.map((field) => [field.id, field.isRequired])).toEqual([
      ['key', true],
      ['name', false],
    ]);
    expect(JSON.stringify(form)).not.toContain('sk-typed');
  });

  it.each([[[]], [['add']], [['add', 'gemini']], [['list', 'openai']], [['remove', 'openai']]])(
    'opens for nothing else: %j',
    (args) => {
      expect(setUp().form?.open(args, 'en')).toBeUndefined();
    },
  );

  it('adds the key under its name, and shows it masked', async () => {
    const { form, calls } = setUp();
    const said = await form?.submit?.('anthropic', { key: ' sk-ant-secret \n', name: ' desk ' }, 'ko');
    expect(said).toBe(
      keyEntryTexts('ko').added({
        provider: 'anthropic',
        name: MAIN.name,
        masked: MAIN.masked,
        isSaved: true,
      }),
    );
    await form?.submit?.('openai', { key: 'sk-other', name: '' }, 'en');
    expect(calls).toEqual(['added anthropic sk-ant-secret desk', 'added openai sk-other ']);
  });

  it('says what is wrong with a key without repeating it, and leaves other failures to its caller', async () => {
    const invalid = setUp([], 'done', new FinClawError('no', 'KEY_INVALID'));
    expect(await invalid.form?.submit?.('openai', { key: 'sk-nonsense' }, 'en')).toBe(
      keyEntryTexts('en').invalid({ provider: 'openai' }),
    );
    const broken = setUp([], 'done', new Error('disk full'));
    await expect(broken.form?.submit?.('openai', { key: 'k' }, 'en')).rejects.toThrow('disk full');
    expect(await setUp().form?.submit?.('gemini', { key: 'k' }, 'en')).toBe(channelTexts('en').formGone());
  });
});
