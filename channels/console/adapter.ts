import type { Readable } from 'node:stream';
import { styleText } from 'node:util';
import { approvalMessages, approvalQuestion } from '#src/kernel/messages/approvals.ts';
import type { ChannelHost, ChannelPlugin } from '#src/kernel/channel.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { consoleMessages } from '#channels/console/messages.ts';
import { keyEntryMessages } from '#src/kernel/messages/key-entry.ts';
import type { MessageId, SessionKey } from '#src/kernel/ids.ts';
import type { Clock } from '#src/platform/clock.ts';
import { newId } from '#src/platform/ids.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { filesIn, NO_FILES, readFileOf } from './files.ts';
import { CONSOLE, readLines, toInboundMessage } from './inbound.ts';
import { createKeyEntry } from './key-entry.ts';
import { print, renderForTerminal, showWaitingSign, type TerminalOutput, withFiles } from './outbound.ts';
import { openTerminal, type Terminal } from './terminal.ts';

export interface ConsoleDeps {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: TerminalOutput;
  readonly hasColour: boolean;
  /** The language of the machine. */
  readonly locale: Locale | undefined;
  readonly version: string;
  readonly stripMentions: (text: string) => string;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}

/**
 * The terminal. Messages from a keyboard may overlap. From a pipe, the next line is read after the answer to the
 * previous one, and the end of input ends the program after the last answer.
 */
export const createConsoleChannel = (deps: ConsoleDeps): ChannelPlugin => {
  const { input, output, hasColour, clock } = deps;
  const locale = deps.locale ?? 'en';
  const t = consoleMessages(locale);
  const isInteractive = input.isTTY === true && output.isTTY === true;
  const underWay = new Set<Promise<void>>();
  let terminal: Terminal | undefined;
  let lastSession: SessionKey | undefined;
  let isReceiving = false;
  let isStopping = false;

  const say = (text: string): Promise<void> => print(output, renderForTerminal(text, hasColour));
  const keyEntry = createKeyEntry({
    locale,
    say,
    hideNextLine: () => terminal?.hideNextLine(),
    stripMentions: deps.stripMentions,
    logger: deps.logger,
  });

  /** Resolves when the message has been answered. */
  const submit = async (text: string, host: ChannelHost): Promise<void> => {
    try {
      if (await keyEntry.handle(text, host)) return;
      // Files are read for a person at the keyboard only; a pipe may carry untrusted text.
      const { media, missing } = isInteractive ? filesIn(text) : NO_FILES;
      if (missing.length > 0) await say(t.filesMissing({ names: missing.join(', ') }));
      const receipt = await host.receive(toInboundMessage(text, media, deps.locale, clock));
      if (receipt.outcome !== 'accepted') return;
      lastSession = receipt.sessionKey;
      await receipt.settled;
    } catch (error) {
      deps.logger.error('Could not store a message', { error });
      // If the output is closed, its error event has already ended the chat.
      await say(t.notStored()).catch(() => undefined);
    }
  };

  const readPipe = async (host: ChannelHost): Promise<void> => {
    for await (const line of readLines(input)) {
      if (!isReceiving) return;
      if (line.status === 'ok') await submit(line.text, host);
      else await say(t.invalidUtf8({ line: line.lineNumber }));
    }
    host.requestShutdown();
  };

  const startTerminal = (host: ChannelHost): Terminal =>
    openTerminal(input, output, hasColour ? styleText('cyan', '› ', { validateStream: false }) : '› ', {
      onMessage: (text) => {
        if (!isReceiving) return;
        const work: Promise<void> = submit(text, host).finally(() => {
          underWay.delete(work);
          if (isReceiving && underWay.size === 0) terminal?.prompt();
        });
        underWay.add(work);
      },
      onInterrupt: () => {
        if (keyEntry.cancel()) {
          void say(keyEntryMessages(locale).cancelled())
            .catch(() => undefined)
            .finally(() => terminal?.prompt());
          return;
        }
        if (underWay.size === 0) {
          terminal?.close();
          return;
        }
        // A second Ctrl-C during a stop means that the person wants to leave at once.
        if (isStopping) {
          host.requestShutdown();
          return;
        }
        if (!lastSession) return;
        isStopping = true;
        void host.queue
          .stop(lastSession)
          .then((outcome) => {
            if (outcome === 'idle') host.requestShutdown();
          })
          .finally(() => {
            isStopping = false;
          });
      },
      onEnd: () => {
        if (!isReceiving) return;
        void Promise.all(underWay)
          .then(() => print(output, t.goodbye()))
          .catch(() => undefined)
          .finally(host.requestShutdown);
      },
    });

  return {
    id: CONSOLE,
    capabilities: { maxMessageLength: 20_000, supportsMarkdown: false, supportsTables: false },
    start: async (host) => {
      isReceiving = true;
      // A closed output (`… | head`) ends the chat and is not an error.
      output.on('error', () => host.requestShutdown());
      if (!isInteractive) {
        void readPipe(host).catch((error: unknown) => {
          // `close` destroys the input, which also rejects here.
          if (!isReceiving) return;
          deps.logger.error('Could not read the input', { error });
          host.requestShutdown();
        });
        return;
      }
      const model = host.describeModel();
      const welcome = [
        `**${t.welcome({ version: deps.version })}**`,
        model.isOffline ? t.offline() : t.model({ model: model.name }),
        t.prices[host.describeMarket()](),
        t.hint(),
      ];
      await say(`${welcome.join('\n')}\n`);
      terminal = startTerminal(host);
      terminal.prompt();
    },
    stop: async () => {
      isReceiving = false;
    },
    close: async () => {
      terminal?.close();
      input.destroy();
    },
    isConnected: () => isReceiving,
    send: async (message) => {
      await say(`${withFiles(message.payload)}\n`);
      if (isReceiving) terminal?.prompt();
      return { messageId: newId<MessageId>() };
    },
    requestApproval: async (_target, request) => {
      await say(`${approvalQuestion(request, clock)}\n${approvalMessages(request.locale).yesNo()}\n`);
      if (isReceiving) terminal?.prompt();
      return {};
    },
    directTarget: async (target) => target,
    readMedia: readFileOf,
    sendTyping: () => showWaitingSign(output, hasColour),
  };
};
