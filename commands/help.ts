import type { Command, CommandCategory, CommandDefinition } from '#src/core/command.ts';
import { type Locale, texts } from '#src/core/i18n.ts';
import { shortened } from '#src/core/text.ts';

export interface HelpDeps {
  /** Late-bound: the list contains this command too. */
  readonly listCommands: () => readonly CommandDefinition[];
}

const ORDER: readonly CommandCategory[] = ['finance', 'general', 'admin', 'debug'];

const overview = (commands: readonly CommandDefinition[], locale: Locale): string => {
  const words = texts(locale);
  const groups = ORDER.flatMap((category) => {
    const lines = commands
      .filter((definition) => definition.category === category)
      .map((definition) => `- \`/${definition.name}\` — ${definition.description[locale]}`);
    return lines.length > 0 ? [`${words.categories[category]}\n${lines.join('\n')}`] : [];
  });
  return [words.helpTitle(), ...groups, words.helpFooter()].join('\n\n');
};

const details = (definition: CommandDefinition, locale: Locale): string => {
  const words = texts(locale);
  const aliases = definition.aliases.map((alias) => `\`/${alias}\``).join(', ');
  return [
    `**/${definition.name}** — ${definition.description[locale]}`,
    words.helpUsage({ usage: definition.usage[locale] }),
    ...(aliases ? [words.helpAliases({ aliases })] : []),
  ].join('\n');
};

export const help = ({ listCommands }: HelpDeps): Command => ({
  definition: {
    name: 'help',
    aliases: ['h', '도움말'],
    description: { ko: '사용 가능한 명령어를 보여 줍니다', en: 'shows what I can do' },
    usage: { ko: '/help [명령어]', en: '/help [command]' },
    category: 'general',
  },
  execute: async ([topic], { locale, isAdmin, userRoles }) => {
    const visible = listCommands().filter(
      ({ requiredRoles = [] }) =>
        isAdmin || requiredRoles.length === 0 || requiredRoles.some((role) => userRoles.includes(role)),
    );
    if (topic === undefined || shortened(topic) === '')
      return { content: overview(visible, locale), ephemeral: true };
    const name = topic.replace(/^\//, '').toLowerCase();
    const found = visible.find((definition) => [definition.name, ...definition.aliases].includes(name));
    const content = found ? details(found, locale) : texts(locale).helpUnknown({ name: shortened(topic) });
    return { content, ephemeral: true };
  },
});
