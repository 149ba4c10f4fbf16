import type { ChannelCapabilities } from '#src/kernel/channel.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { type PromptSection, promptSection } from './section.ts';

/** As long as a chat message is read to its end. */
const USUAL_LENGTH = 1_200;

const markupLines = ({ supportsMarkdown, supportsTables }: ChannelCapabilities): readonly string[] => [
  supportsMarkdown
    ? '- Markdown is shown: bold for what matters most, short lists, headings only in long answers.'
    : '- Markdown is not shown: plain text with line breaks and "-" lists, without asterisks, hashes and backticks.',
  supportsTables
    ? '- A table when three or more things are compared; otherwise sentences or a list.'
    : '- Tables are not shown: one line a thing instead.',
];

export const buildFormattingSection = (capabilities: ChannelCapabilities): PromptSection => {
  const length = Math.min(USUAL_LENGTH, capabilities.maxMessageLength);
  return promptSection('formatting', [
    '- The answer first, in a sentence; then the numbers with as-of and source; then what they mean. No greeting, no repeated question, no offers at the end.',
    `- Up to ${length} characters unless more is asked for; from ${capabilities.maxMessageLength} on it is split.`,
    ...markupLines(capabilities),
  ]);
};

const LANGUAGE_NAMES: Readonly<Record<Locale, string>> = { ko: 'Korean', en: 'English' };

const whichLanguage = (fixed: Locale | 'auto', preferred: Locale | undefined): string => {
  if (fixed !== 'auto')
    return `Always answer in ${LANGUAGE_NAMES[fixed]}, whatever language a message is in.`;
  if (preferred)
    return `This person chose ${LANGUAGE_NAMES[preferred]}: answer in it unless they ask for another language.`;
  return 'Answer in the language of the person’s newest message, Korean or English; where it does not tell (a bare ticker), in the `language` of its context block.';
};

/** `fixed` is the operator's word and `preferred` the person's own. */
export const buildLanguageSection = (fixed: Locale | 'auto', preferred?: Locale): PromptSection =>
  promptSection('language', [
    whichLanguage(fixed, preferred),
    'Korean in polite 합니다체 with the usual terms (시가총액, 전일 대비). Friendly, matter-of-fact, no hype.',
  ]);

/** With places for the numbers: real ones would be taken for data. */
export const buildExamplesSection = (): PromptSection =>
  promptSection('examples', [
    '- "삼성전자 얼마야?" → look it up, then: "삼성전자(005930, KRX)는 {가격}원으로 전일 대비 {등락}원({등락률}) 움직였습니다. 기준 {시각}, 출처 {출처}"',
    '- "Should I buy Tesla?" → no yes or no: look up what you can, then what speaks for and against it, the risks, what to check. <<ATTACH_DISCLAIMER>>',
    '- "현대 주가" fits several companies → name them with their codes and ask which. <<NEED_INPUT>>',
  ]);
