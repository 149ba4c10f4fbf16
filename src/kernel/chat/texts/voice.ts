import { counted, localized } from '#src/kernel/locale.ts';
import { cut, withoutMarkup } from '#src/kernel/text.ts';

/** Enough to see that the words are right. The model reads all of them. */
const MAX_SHOWN_CHARS = 500;

/** A status is one short line. */
const MAX_STATUS_CHARS = 80;

/** The words on one line, without markup. */
const spoken = (words: string, max: number): string => `🎙️ “${cut(withoutMarkup(words), max)}”`;
const quoted = (words: string): string => `> ${spoken(words, MAX_SHOWN_CHARS)}`;
const inStatus = (p: { readonly words: string; readonly status: string }): string =>
  `${spoken(p.words, MAX_STATUS_CHARS)} · ${p.status}`;

/** Voice messages: the words that were heard, or why there are none. */
const voiceEn = {
  heard: (p: { readonly words: string }) => quoted(p.words),
  inStatus,
  noProvider: () =>
    'I need an OpenAI key for voice messages, and none is set up here: please type your question, or ask the operator to add one with `/keys add openai`.',
  tooLong: (p: { readonly minutes: number }) =>
    `The recording is too long: I can listen to ${counted(p.minutes, 'minute')} at most. Please send a shorter one, or type your question.`,
  tooLarge: (p: { readonly megabytes: number }) =>
    `The recording is larger than ${p.megabytes} MB: please send a shorter one, or type your question.`,
  tooManyWords: (p: { readonly limit: string }) =>
    `The recording has more words than I read at once (characters: ${p.limit}): please send it in smaller pieces.`,
  tooMany: (p: { readonly limit: number }) =>
    `I can listen to ${counted(p.limit, 'recording')} at a time: please send the others separately.`,
  silent: () => 'I heard no words in the recording: please record it again, or type your question.',
  unknownFormat: () =>
    'I cannot play this kind of recording: please send it as MP3, M4A, OGG, WAV, WebM or FLAC, or type your question.',
  failed: () =>
    'I could not transcribe the recording: please send it again in a moment, or type your question.',
  late: () =>
    'Transcribing the recording took too long: please send it again in a moment, or type your question.',
  noApproval: () =>
    'A voice message cannot approve or decline a request, because words are easily misheard: please answer the request itself, or type yes or no.',
};

const voiceKo: typeof voiceEn = {
  heard: (p) => quoted(p.words),
  inStatus,
  noProvider: () =>
    '음성 메시지를 들으려면 OpenAI 키가 필요한데 아직 등록되어 있지 않습니다. 글로 입력하시거나, 운영자에게 `/keys add openai`로 키를 추가해 달라고 요청해 주세요.',
  tooLong: (p) =>
    `녹음이 너무 깁니다. ${p.minutes}분까지 들을 수 있으니 더 짧게 보내시거나 글로 입력해 주세요.`,
  tooLarge: (p) => `녹음 파일이 ${p.megabytes}MB를 넘습니다. 더 짧게 보내시거나 글로 입력해 주세요.`,
  tooManyWords: (p) => `녹음 내용이 한 번에 읽을 수 있는 ${p.limit}자를 넘습니다. 나누어 보내 주세요.`,
  tooMany: (p) => `녹음은 한 번에 ${p.limit}개까지 들을 수 있습니다. 나머지는 따로 보내 주세요.`,
  silent: () => '녹음에서 말소리를 듣지 못했습니다. 다시 녹음하시거나 글로 입력해 주세요.',
  unknownFormat: () =>
    '이 형식의 녹음은 들을 수 없습니다. MP3, M4A, OGG, WAV, WebM, FLAC로 보내시거나 글로 입력해 주세요.',
  failed: () => '녹음을 글로 옮기지 못했습니다. 잠시 후 다시 보내시거나 글로 입력해 주세요.',
  late: () => '녹음을 글로 옮기는 데 너무 오래 걸립니다. 잠시 후 다시 보내시거나 글로 입력해 주세요.',
  noApproval: () =>
    '음성은 잘못 들릴 수 있어 음성 메시지로는 요청을 승인하거나 거절할 수 없습니다. 요청에 직접 답하시거나 예 또는 아니요라고 입력해 주세요.',
};

export const voiceTexts = localized({ en: voiceEn, ko: voiceKo });
