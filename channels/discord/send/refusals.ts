import { CODES, DiscordError } from '../api.ts';

/** Other forms of a message that Discord refuses. */
export type Remedy =
  /** To post it as no reply. */
  | 'without-reference'
  /** To leave out files, then cards. */
  | 'smaller'
  /** To write it without any address. */
  | 'without-links'
  /** To post what was to replace an earlier message. */
  | 'as-new'
  /** To post it in the channel of the thread. */
  | 'in-parent';

/** The sentence above an answer that could not be posted where it was asked for. */
export type DiscordRefusalReason =
  | 'mayNotWrite'
  | 'threadClosed'
  | 'moderated'
  | 'placeGone'
  | 'placeRefuses';

interface Refusal {
  readonly remedies: readonly Remedy[];
  /** Where nothing else helps, the answer goes to the person directly, below this sentence. */
  readonly reason: DiscordRefusalReason;
}

const because = (reason: DiscordRefusalReason, ...remedies: readonly Remedy[]): Refusal => ({
  remedies,
  reason,
});

/** By error code, as documented for creating and editing messages. What is not listed goes to the person directly. */
const REFUSALS: ReadonlyMap<number, Refusal> = new Map([
  [CODES.unknownChannel, because('placeGone', 'in-parent')],
  [CODES.unknownGuild, because('placeGone')],
  [CODES.unknownMessage, because('placeRefuses', 'as-new')],
  [CODES.explicitContent, because('moderated', 'smaller')],
  [CODES.announcementEdits, because('placeRefuses', 'as-new')],
  [CODES.editsOfOldMessages, because('placeRefuses', 'as-new')],
  [CODES.tooLarge, because('placeRefuses', 'smaller')],
  [CODES.missingAccess, because('mayNotWrite')],
  [CODES.messageOfOthers, because('placeRefuses', 'as-new')],
  [CODES.notText, because('placeRefuses', 'in-parent')],
  [CODES.missingPermissions, because('mayNotWrite', 'smaller')],
  [CODES.systemMessage, because('placeRefuses', 'without-reference')],
  [CODES.fileTooLarge, because('placeRefuses', 'smaller')],
  [CODES.invalidFile, because('placeRefuses', 'smaller')],
  [CODES.invalidMessageType, because('placeRefuses', 'without-reference')],
  [CODES.archivedThread, because('threadClosed', 'as-new', 'in-parent')],
  [CODES.fileNotFound, because('placeRefuses', 'smaller')],
  [CODES.mayNotReply, because('mayNotWrite', 'without-reference')],
  [CODES.lockedThread, because('threadClosed', 'in-parent')],
  [CODES.tooManyThreads, because('threadClosed', 'in-parent')],
  [CODES.moderatedMessage, because('moderated')],
  [CODES.moderatedTitle, because('moderated')],
  [CODES.harmfulLinks, because('moderated', 'without-links')],
  [CODES.noUploads, because('placeRefuses', 'smaller')],
]);

const refusalIn = (error: DiscordError): Refusal => {
  const { discordCode, httpStatus, invalidFields } = error;
  if (httpStatus === 413) return because('placeRefuses', 'smaller');
  if (discordCode === CODES.invalidForm)
    return because(
      'placeRefuses',
      invalidFields.includes('message_reference') ? 'without-reference' : 'smaller',
    );
  return (discordCode === undefined ? undefined : REFUSALS.get(discordCode)) ?? because('placeRefuses');
};

export const helps = (remedy: Remedy, error: unknown): boolean =>
  error instanceof DiscordError && refusalIn(error).remedies.includes(remedy);

export const reasonOf = (error: unknown): DiscordRefusalReason =>
  error instanceof DiscordError ? refusalIn(error).reason : 'placeRefuses';
