import type { ChannelId, InboxId, SessionKey, UserId } from '../ids.ts';

/** The formats that the provider reads, named by the extension of a file. */
export const AUDIO_FORMATS = ['flac', 'm4a', 'mp3', 'mp4', 'ogg', 'wav', 'webm'] as const;

export type AudioFormat = (typeof AUDIO_FORMATS)[number];

export interface Recording {
  /** Outside of the heap, and sent to the provider without another copy. */
  readonly sound: Blob;
  readonly format: AudioFormat;
  /** As the platform reports it. */
  readonly durationSeconds: number | undefined;
}

/** Whose budget pays, and whose conversation it is. */
export interface Speaker {
  readonly channelId: ChannelId;
  readonly userId: UserId;
  readonly sessionKey: SessionKey;
  /** The message with the recording. */
  readonly inboxId: InboxId;
}

export type Transcription =
  | { readonly status: 'heard'; readonly words: string }
  /** `failed`: the provider refused the recording or did not answer. The cause is in the log. */
  | { readonly status: 'silent' | 'too-long' | 'failed' };

/** Port: turns recordings into words. */
export interface Transcriber {
  /** Longer recordings are not transcribed. */
  readonly maxSeconds: number;
  /** Whether there is a key of a provider that transcribes. */
  readonly isReady: () => boolean;
  /** Throws `NoAnswerError` over budget, and the signal's reason on abort. */
  readonly transcribe: (
    recording: Recording,
    speaker: Speaker,
    signal: AbortSignal,
  ) => Promise<Transcription>;
}
