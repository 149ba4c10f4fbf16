import type { Command } from '#src/kernel/command.ts';
import type { CommandDefinition } from '#src/kernel/command-definition.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { queueMessages } from '#commands/chat/messages.ts';
import { guildMessages } from '#src/kernel/messages/guild.ts';
import type { MsgContext } from '#src/kernel/message.ts';
import {
  QUEUE_MODES,
  type QueueControl,
  type QueueMode,
  type QueueModes,
  type QueueModeScope,
} from '#src/kernel/ports.ts';
import { shortened } from '#src/kernel/text.ts';
import { choiceLabels, queueModeChoices } from '../choice-labels.ts';
import { personal } from '../results.ts';

interface QueueDeps {
  readonly modes: QueueModes;
  readonly queue: Pick<QueueControl, 'status'>;
}

const DEFAULT: ReadonlySet<string> = new Set(['default', 'reset', '기본', '기본값']);

const isMode = (typed: string): typed is QueueMode => (QUEUE_MODES as readonly string[]).includes(typed);

const scopeIn = (flags: ReadonlyMap<string, unknown> | undefined): QueueModeScope => {
  if (flags?.has('agent')) return 'agent';
  return flags?.has('channel') ? 'channel' : 'session';
};

const show = ({ modes, queue }: QueueDeps, ctx: MsgContext): string => {
  const t = queueMessages(ctx.locale);
  const { mode, setFor } = modes.of(ctx);
  const { isRunning, waiting } = queue.status(ctx.sessionKey);
  return [
    t.current({ mode, meaning: t.meanings[mode], setFor: t.scopes[setFor] }),
    t.status({ running: isRunning ? 1 : 0, waiting }),
    '',
    t.choices(),
    ...QUEUE_MODES.map((each) => `- ${t.choice({ mode: each, meaning: t.meanings[each] })}`),
  ].join('\n');
};

const described = (mode: QueueMode, scope: QueueModeScope, locale: Locale) => {
  const t = queueMessages(locale);
  return { mode, meaning: t.meanings[mode], scope: t.scopes[scope] };
};

export const queueDefinition: CommandDefinition = {
  name: 'queue',
  aliases: ['대기열'],
  description: {
    ko: '답변 중에 온 메시지를 어떻게 다룰지 정합니다',
    en: 'how messages during an answer are handled',
  },
  usage: {
    ko: '/queue [모드 | default]',
    en: '/queue [mode | default]',
  },
  category: 'general',
  isOfConversation: true,
  isHarmless: true,
  options: [
    {
      name: 'mode',
      nameKo: '모드',
      description: {
        ko: '답변 중에 온 메시지를 다루는 방식',
        en: 'how messages during an answer are handled',
      },
      type: 'text',
      choices: [
        ...queueModeChoices,
        { value: 'default', label: choiceLabels((locale) => guildMessages(locale).asConfigured()) },
      ],
    },
    {
      name: 'channel',
      nameKo: '채널전체',
      description: { ko: '이 채널 전체에 적용합니다 (관리자)', en: 'for the whole channel (administrators)' },
      type: 'flag',
    },
    {
      name: 'agent',
      nameKo: '에이전트전체',
      description: {
        ko: '이 에이전트 전체에 적용합니다 (관리자)',
        en: 'for the whole agent (administrators)',
      },
      type: 'flag',
    },
  ],
  isPrivate: true,
};

export const queue = (deps: QueueDeps): Command => ({
  definition: queueDefinition,
  execute: async ([typed = ''], ctx, _signal, flags) => {
    const { locale } = ctx;
    const t = queueMessages(locale);
    const wanted = typed.toLowerCase();
    if (wanted === '') return personal(show(deps, ctx));
    const scope = scopeIn(flags);
    // In a shared conversation the mode affects everybody's messages.
    if (!ctx.isAdmin && scope !== 'session') return personal(t.adminsOnly());
    if (!ctx.isAdmin && ctx.chatType !== 'direct') return personal(t.notAllowed());
    if (DEFAULT.has(wanted)) {
      await deps.modes.choose(ctx, scope, null);
      return personal(t.cleared(described(deps.modes.of(ctx).mode, scope, locale)));
    }
    if (!isMode(wanted)) {
      const modes = QUEUE_MODES.map((each) => `\`${each}\``).join(', ');
      return personal(t.unknown({ name: shortened(typed), modes }));
    }
    await deps.modes.choose(ctx, scope, wanted);
    return personal(t.set(described(wanted, scope, locale)));
  },
});
