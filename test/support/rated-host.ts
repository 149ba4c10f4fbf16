import type { ChannelHost } from '#src/kernel/channel/host.ts';
import type { Rating } from '#src/kernel/people/feedback.ts';
import type { JoinedChat, MetPerson } from '#src/kernel/people/welcome.ts';

/** The part of an app that is told of verdicts on answers, of chats that the bot joined and of events that failed. It keeps them. */
export class RatedHost {
  /** Presses of 👍 and 👎. */
  readonly verdicts: { readonly answerId: string; readonly verdict: string; readonly userId: string }[] = [];
  rating: Rating = { outcome: 'stored', text: 'Thanks.' };
  readonly feedback: ChannelHost['feedback'] = {
    rate: async (answerId, verdict, { senderId: userId }) => {
      this.verdicts.push({ answerId, verdict, userId });
      return this.rating;
    },
  };
  /** The names of events that the channel could not handle. */
  readonly failedEvents: string[] = [];
  readonly eventFailed: ChannelHost['eventFailed'] = (_channelId, event) =>
    void this.failedEvents.push(event);
  /** The codes with which the platform refused posts. */
  readonly refusedPosts: string[] = [];
  readonly postRefused: ChannelHost['postRefused'] = (_channelId, code) => void this.refusedPosts.push(code);
  readonly joined: JoinedChat[] = [];
  readonly met: MetPerson[] = [];
  onWelcome: () => void = () => undefined;
  readonly welcomes: ChannelHost['welcomes'] = {
    joined: async (chat) => {
      this.onWelcome();
      this.joined.push(chat);
    },
    met: async (person) => {
      this.onWelcome();
      this.met.push(person);
    },
  };
}
