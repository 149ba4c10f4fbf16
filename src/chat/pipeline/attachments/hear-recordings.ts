import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import { NoAnswerError } from '#src/kernel/errors.ts';
import type { ReadAttachment } from '#src/kernel/agent/execution.ts';
import { type InboxId, personKey } from '#src/kernel/ids.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { MediaAttachment, TurnContext } from '#src/kernel/chat/message.ts';
import { voiceTexts } from '#src/kernel/chat/texts/voice.ts';
import type { Approvals } from '#src/kernel/agent/approvals.ts';
import { AUDIO_FORMATS, type AudioFormat, type Transcriber } from '#src/kernel/agent/transcription.ts';
import { raceAbort, withDeadline } from '#src/platform/concurrency/abort.ts';
import { newErrorId } from '#src/platform/ids.ts';
import { withoutKeys } from '#src/platform/text/mask-secrets.ts';
import type { MediaMemory } from '#src/platform/files/media-memory.ts';
import { isTooLarge } from '#src/platform/net/read-at-most.ts';
import type { Uses } from '#src/platform/services.ts';
import { failureText } from '../stage-failures.ts';

export interface HearDeps extends Uses<'clock' | 'logger'> {
  readonly transcriber: Transcriber;
  readonly media: MediaMemory;
  /** As for typed messages. */
  readonly maxMessageChars: number;
  /** Stores the words with the message, so that a restart does not transcribe it again. */
  readonly keepWords: (ids: readonly InboxId[], url: string, words: string) => Promise<void>;
  /** Whether a model was asked about the message before. */
  readonly isBegun: (inboxId: InboxId) => Promise<boolean>;
  /** Whether these words, had they been typed, would answer an open approval request. */
  readonly answersRequest: (ctx: TurnContext, words: string) => Promise<boolean>;
  readonly giveUp: Approvals['giveUp'];
  /** The language to answer these words in. */
  readonly languageOf: (ctx: TurnContext, words: string) => Promise<Locale>;
}

/** `told`: the person gets this text instead of an answer. */
export type Hearing =
  | { readonly kind: 'told'; readonly text: string; readonly locale: Locale }
  | {
      readonly kind: 'heard';
      /** With the words of voice messages as the person's text, and without the recordings. */
      readonly ctx: TurnContext;
      /** The words of other recordings, which others may have spoken. */
      readonly attachments: readonly ReadAttachment[];
    };

const TIMEOUT_MS = 60_000;
/** The provider's limit. */
const MAX_MEGABYTES = 25;
const MAX_RECORDINGS = 4;

const FORMATS_BY_NAME: Readonly<Record<string, AudioFormat>> = {
  ...(Object.fromEntries(AUDIO_FORMATS.map((format) => [format, format])) as Record<string, AudioFormat>),
  oga: 'ogg',
  opus: 'ogg',
  mpga: 'mp3',
};
const FORMATS_BY_TYPE: Readonly<Record<string, AudioFormat>> = {
  'audio/ogg': 'ogg',
  'audio/opus': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/mp4': 'mp4',
  'audio/m4a': 'm4a',
  'audio/x-m4a': 'm4a',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/vnd.wave': 'wav',
  'audio/webm': 'webm',
  'audio/flac': 'flac',
  'audio/x-flac': 'flac',
};

const formatOf = ({ mimeType, name }: MediaAttachment): AudioFormat | undefined =>
  FORMATS_BY_TYPE[mimeType.toLowerCase()] ??
  FORMATS_BY_NAME[/\.(\w{1,5})$/u.exec(name)?.[1]?.toLowerCase() ?? ''];

const isRecording = ({ kind }: MediaAttachment): boolean => kind === 'audio';

type Sentence = (t: ReturnType<typeof voiceTexts>) => string;

type Heard =
  | { readonly file: MediaAttachment; readonly words: string }
  | { readonly file: MediaAttachment; readonly sentence: Sentence };

const isHeard = (heard: Heard): heard is Extract<Heard, { readonly words: string }> => 'words' in heard;

const shownLimit = (limit: number): string => new Intl.NumberFormat('en').format(limit);

/**
 * Turns the recordings of a message into words. What the sender spoke into the app counts as typed, except that it is
 * never a command and never an approval: both are read when a message arrives, and misheard words must not move money.
 * Words of any other recording may be somebody else's, so the model reads them as a file. The sound is not stored.
 */
export const hearRecordings = async (
  ctx: TurnContext,
  channel: ChannelPlugin,
  deps: HearDeps,
  parent: AbortSignal,
): Promise<Hearing> => {
  const recordings = (ctx.media ?? []).filter(isRecording);
  if (recordings.length === 0) return { kind: 'heard', ctx, attachments: [] };
  const { transcriber, clock, logger } = deps;
  const { channelId, senderId: userId, sessionKey } = ctx;
  const late = new Error('The recording took too long');

  const transcribe = async (file: MediaAttachment): Promise<Heard> => {
    const unheard = (sentence: Sentence): Heard => ({ file, sentence });
    const tooLong = unheard((t) => t.tooLong({ minutes: Math.floor(transcriber.maxSeconds / 60) }));
    const tooLarge = unheard((t) => t.tooLarge({ megabytes: MAX_MEGABYTES }));
    const { durationSeconds } = file;
    const maxBytes = MAX_MEGABYTES * 1_000_000;
    if (!transcriber.isReady()) return unheard((t) => t.noProvider());
    if ((durationSeconds ?? 0) > transcriber.maxSeconds) return tooLong;
    if ((file.sizeBytes ?? 0) > maxBytes) return tooLarge;
    const format = formatOf(file);
    const { readMedia } = channel;
    if (!format || !readMedia) return unheard((t) => t.unknownFormat());
    const heldBytes = file.sizeBytes ?? maxBytes;
    return deps.media.hold(
      personKey({ channelId, userId }),
      heldBytes,
      async () => {
        // Recordings of others, which wait for the same memory, cost this one no time.
        using limit = withDeadline(parent, TIMEOUT_MS, clock, () => late);
        const { signal } = limit;
        let sound: Blob;
        try {
          const bytes = await raceAbort(readMedia(file, maxBytes, signal), signal, clock, 0);
          sound = new Blob([bytes as Uint8Array<ArrayBuffer>]);
        } catch (error) {
          signal.throwIfAborted();
          if (isTooLarge(error)) return tooLarge;
          logger.warn('A recording could not be fetched', { mimeType: file.mimeType, error });
          return unheard((t) => t.failed());
        }
        if (sound.size === 0) return unheard((t) => t.silent());
        const speaker = { channelId, userId, sessionKey, inboxId: ctx.inboxId };
        const result = await transcriber.transcribe({ sound, format, durationSeconds }, speaker, signal);
        const { status } = result;
        if (status === 'too-long') return tooLong;
        if (status !== 'heard') return unheard((t) => t[status]());
        const words = withoutKeys(result.words);
        await deps
          .keepWords([ctx.inboxId, ...ctx.merged.map(({ inboxId }) => inboxId)], file.url, words)
          .catch((error: unknown) => logger.warn('The words of a recording could not be stored', { error }));
        return { file, words };
      },
      parent,
    );
  };

  const hear = async (file: MediaAttachment, index: number): Promise<Heard> => {
    const unheard = (sentence: Sentence): Heard => ({ file, sentence });
    if (index >= MAX_RECORDINGS) return unheard((t) => t.tooMany({ limit: MAX_RECORDINGS }));
    try {
      const heard = file.words === undefined ? await transcribe(file) : { file, words: file.words };
      return isHeard(heard) && heard.words.length > deps.maxMessageChars
        ? unheard((t) => t.tooManyWords({ limit: shownLimit(deps.maxMessageChars) }))
        : heard;
    } catch (error) {
      parent.throwIfAborted();
      if (error === late) return unheard((t) => t.late());
      throw error;
    }
  };

  const told = (text: string, locale = ctx.locale): Hearing => ({ kind: 'told', text, locale });
  let all: readonly Heard[];
  try {
    all = await Promise.all(recordings.map(hear));
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    const errorId = newErrorId();
    logger.warn('A recording was not transcribed', { errorId, error });
    return told(failureText(error, ctx.locale, errorId));
  }

  const spoken = all.filter(({ file }) => file.isVoice === true);
  const words = spoken
    .filter(isHeard)
    .map((heard) => heard.words)
    .join('\n\n');
  const others = (ctx.media ?? []).filter((file) => !isRecording(file));
  const isAlone = ctx.bodyForAgent.trim() === '' && !ctx.forwarded?.length && others.length === 0;
  const unheard = all.flatMap((heard) => (isHeard(heard) ? [] : [heard]));
  const [first] = unheard;
  // Without anything else to answer, the person is told instead of the model.
  if (first && isAlone && unheard.length === all.length) return told(first.sentence(voiceTexts(ctx.locale)));

  const locale = words === '' ? ctx.locale : await deps.languageOf(ctx, words);
  // A turn that was begun has passed this before.
  if (spoken.length > 0 && !(await deps.isBegun(ctx.inboxId))) {
    const t = voiceTexts(locale);
    if (isAlone && words !== '' && (await deps.answersRequest(ctx, words)))
      return told(`${t.heard({ words })}\n\n${t.noApproval()}`, locale);
    // Any other message of the person gives up their open requests, as a typed one does before its turn.
    await deps.giveUp(sessionKey, { by: userId, askedBy: userId, before: ctx.inboxId });
  }

  const { media: _recorded, ...rest } = ctx;
  const attachments = all.flatMap((heard): readonly ReadAttachment[] => {
    const { name, isMaybeOurs, isVoice } = heard.file;
    if (!isHeard(heard)) return [{ kind: 'unreadable', name, reason: heard.sentence(voiceTexts('en')) }];
    return isVoice ? [] : [{ kind: 'text', name, text: heard.words, ...(isMaybeOurs && { isMaybeOurs }) }];
  });
  return {
    kind: 'heard',
    attachments,
    ctx: {
      ...rest,
      ...(others.length > 0 && { media: others }),
      ...(words !== '' && {
        heard: words,
        bodyForAgent: [ctx.bodyForAgent, words].filter((text) => text.trim() !== '').join('\n\n'),
      }),
      locale,
    },
  };
};
