import type { Command } from '#src/kernel/chat/command.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { queueTexts } from '#commands/chat/texts.ts';
import { guildTexts } from '#src/kernel/chat/texts/guild.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { QUEUE_MODES, type QueueMode, type QueueModes, type QueueModeScope } from '#src/kernel/chat/queue.ts';
import { shortened } from '#src/kernel/text.ts';
import type { Uses } from '#src/platform/services.ts';
import { queueModeChoices } from './queue-modes.ts';
import { choiceLabels } from '../shared/labels.ts';
import { ephemeral } from '../shared/results.ts';

interface QueueDeps extends Uses<'queue.status'> {
  readonly modes: QueueModes;
}

const DEFAULT: ReadonlySet<string> = new Set(['default', 'reset', '기본', '기본값']);

const isMode = (typed: string): typed is QueueMode => (QUEUE_MODES as readonly string[]).includes(typed);

const scopeIn = (flags: ReadonlyMap<string, unknown> | undefined): QueueModeScope => {
  if (flags?.has('agent')) return 'agent';
  return flags?.has('channel') ? 'channel' : 'session';
};

const show = ({ modes, queue }: QueueDeps, ctx: TurnContext): string => {
  const t = queueTexts(ctx.locale);
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
  const t = queueTexts(locale);
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
        { value: 'default', label: choiceLabels((locale) => guildTexts(locale).asConfigured()) },
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
    const t = queueTexts(locale);
    const wanted = typed.toLowerCase();
    if (wanted === '') return ephemeral(show(deps, ctx));
    const scope = scopeIn(flags);
    // In a shared conversation the mode affects everybody's messages.
    if (!ctx.isAdmin && scope !== 'session') return ephemeral(t.adminsOnly());
    if (!ctx.isAdmin && ctx.chatType !== 'direct') return ephemeral(t.notAllowed());
    if (DEFAULT.has(wanted)) {
      await deps.modes.choose(ctx, scope, null);
      return ephemeral(t.cleared(described(deps.modes.of(ctx).mode, scope, locale)));
    }
    if (!isMode(wanted)) {
      const modes = QUEUE_MODES.map((each) => `\`${each}\``).join(', ');
      return ephemeral(t.unknown({ name: shortened(typed), modes }));
    }
    await deps.modes.choose(ctx, scope, wanted);
    return ephemeral(t.set(described(wanted, scope, locale)));
  },
});
