import { type Command, mayUse } from '#src/kernel/command.ts';
import type { CommandCategory, CommandDefinition } from '#src/kernel/command-definition.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { helpMessages } from '#commands/chat/messages.ts';
import { shortened } from '#src/kernel/text.ts';

interface HelpDeps {
  /** A function, because the list contains this command too. */
  readonly listCommands: () => readonly CommandDefinition[];
  /** The operator's prefix. `/` works as well. */
  readonly commandPrefix?: string;
}

const ORDER: readonly CommandCategory[] = ['finance', 'general', 'admin', 'debug'];

const overview = (commands: readonly CommandDefinition[], prefix: string, locale: Locale): string => {
  const groups = ORDER.flatMap((category) => {
    const lines = commands
      .filter((definition) => definition.category === category)
      .map((definition) => `- \`${prefix}${definition.name}\` — ${definition.description[locale]}`);
    return lines.length > 0 ? [`${helpMessages(locale).categories[category]}\n${lines.join('\n')}`] : [];
  });
  return [helpMessages(locale).title(), ...groups, helpMessages(locale).footer()].join('\n\n');
};

const details = (definition: CommandDefinition, prefix: string, locale: Locale): string => {
  const aliases = definition.aliases.map((alias) => `\`${alias}\``).join(', ');
  const asTyped = (line: string): string => line.replace(/^\//, () => prefix);
  const examples = definition.examples?.[locale] ?? [];
  return [
    `\`${prefix}${definition.name}\` — ${definition.description[locale]}`,
    helpMessages(locale).usage({ usage: asTyped(definition.usage[locale]) }),
    ...examples.map(([typed, does]) => `- \`${asTyped(typed)}\` — ${does}`),
    ...(aliases ? [helpMessages(locale).aliases({ aliases })] : []),
  ].join('\n');
};

export const helpDefinition: CommandDefinition = {
  name: 'help',
  aliases: ['h', '도움말'],
  description: { ko: '사용 가능한 명령어를 보여 줍니다', en: 'what I can do' },
  usage: { ko: '/help [명령어]', en: '/help [command]' },
  category: 'general',
  isHarmless: true,
  options: [
    {
      name: 'command',
      nameKo: '명령어',
      description: { ko: '자세히 볼 명령어', en: 'the command to explain' },
      type: 'text',
      suggest: 'command',
    },
  ],
  isPrivate: true,
};

export const help = ({ listCommands, commandPrefix: prefix = '/' }: HelpDeps): Command => ({
  definition: helpDefinition,
  execute: async ([topic], ctx) => {
    const { locale } = ctx;
    const visible = listCommands().filter((definition) => mayUse(definition, ctx));
    if (topic === undefined || shortened(topic) === '')
      return { content: overview(visible, prefix, locale), ephemeral: true };
    const typed = topic.toLowerCase();
    const name = [prefix, '/'].reduce(
      (text, each) => (text.startsWith(each) ? text.slice(each.length) : text),
      typed,
    );
    const found = visible.find((definition) => [definition.name, ...definition.aliases].includes(name));
    const content = found
      ? details(found, prefix, locale)
      : helpMessages(locale).unknown({ name: shortened(topic) });
    return { content, ephemeral: true };
  },
});
