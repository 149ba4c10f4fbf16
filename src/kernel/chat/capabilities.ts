import type { FeedbackMode } from './feedback.ts';
import type { LiveMode } from './live-answer.ts';

export interface ChannelCapabilities {
  readonly maxMessageLength: number;
  readonly supportsMarkdown: boolean;
  readonly supportsTables: boolean;
  /**
   * Draws prices with characters: recent closes below a price, which cost a request to the market source, and the plot of
   * a picture.
   */
  readonly showsSparklines?: boolean;
  /** Its one person started the program: they own the data directory, and need neither a welcome nor a note on privacy. */
  readonly isOwnersTerminal?: boolean;
  /** All messages of a chat arrive at one process, however many receive. */
  readonly keepsChatsTogether?: boolean;
  /** In channels every conversation is a thread, and slash commands are outside of threads. */
  readonly talksInThreads?: boolean;
  /** The history of a thread may lack its root, so both are read at the same time. */
  readonly keepsRootsApart?: boolean;
  /** Renders `ReplyPayload.cards`. */
  readonly supportsCards?: boolean;
  /** Renders `ReplyPayload.choices` as buttons. Otherwise the person is told what to type. */
  readonly supportsChoices?: boolean;
  /** Shows `ReplyPayload.choices` with the numbers of `numberedChoices`, and a typed number picks one of them. */
  readonly numbersChoices?: boolean;
  /** In a shared chat, the answer to a press can be shown to one person alone. */
  readonly answersPressesAlone?: boolean;
  /** What people in groups see of an answer in the making where nothing is configured. Default: `status`. */
  readonly liveMode?: LiveMode;
  /** Where readers of a model's answer are asked for a verdict if nothing is configured. Default: the channel cannot ask. */
  readonly feedbackMode?: FeedbackMode;
}
