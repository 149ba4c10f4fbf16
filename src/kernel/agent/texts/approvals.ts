import type { ApprovalId, Timestamp } from '#src/kernel/ids.ts';
import { type Locale, localized } from '#src/kernel/locale.ts';
import type { NotAdmitted } from '#src/kernel/chat/actor.ts';
import type { ApprovalOutcome, ApprovalRequest } from '../approvals.ts';
import { shortened } from '#src/kernel/text.ts';
import { voiceTexts } from '#src/kernel/chat/texts/voice.ts';

interface Question {
  readonly summary: string;
  readonly why: string;
  readonly minutes: number;
  /** Named in chats that others read. */
  readonly requester: string | undefined;
  readonly isRepeated: boolean;
}

/** Approval requests for tool calls. */
const approvalsEn = {
  ask: (p: Question) =>
    `${[`❓ **Shall I do this${p.requester === undefined ? '' : ` for ${p.requester}`}?**`, ...(p.why === '' ? [] : [p.why]), ...(p.isRepeated ? ['(I asked this before I was restarted.)'] : [])].join(' ')}\n${p.summary}\n_Expires in ${p.minutes} min._`,
  why: {
    transactional: () => 'It cannot simply be undone.',
    loop: () => 'I have made the same call again and again.',
    policy: () => 'I am set up to ask first.',
    afterOthers: () => 'I read words of others for this question, so I ask first.',
  },
  yesNo: () => 'Type **y** or **n**.',
  byCommand: (p: { readonly code: string }) => `\`/approve ${p.code}\` or \`/deny ${p.code}\``,
  approved: (p: { readonly what: string }) => `Allowed: ${p.what}`,
  denied: (p: { readonly what: string }) => `Skipped: ${p.what}`,
  givenUp: (p: { readonly what: string }) => `Given up: ${p.what}`,
  passedOver: (p: { readonly what: string }) => `Skipped: ${p.what}. Reply **again** to bring it back.`,
  unclear: (p: { readonly what: string }) => `Was that a **yes** or a **no**? Nothing is done yet: ${p.what}`,
  which: (p: { readonly acts: readonly string[] }) =>
    `Which one do you mean? Please answer with its number, or with **all**.\n${p.acts.map((act, index) => `${index + 1}. ${act}`).join('\n')}`,
  expired: (p: { readonly what: string }) =>
    `Time is up, so skipped: ${p.what}. Reply **again** to bring it back.`,
  /** Before something that was picked by its number is deleted. */
  sure: (p: { readonly what: string }) => `${p.what}: are you sure? Type **y** or **n**.`,
  declined: () => 'All right, I did nothing.',
  notYours: () => 'Only the person who asked, or one of the configured approvers, can decide this.',
  tooLate: () => 'This was decided before, or its time was up. Nothing was done now.',
  unknown: () => 'There is no such question here, or not any more. Nothing was done.',
  nothing: () => 'Nothing is waiting for a decision here.',
  several: (p: { readonly codes: string }) =>
    `Several things are waiting for a decision. Which one?\n${p.codes}`,
  waiting: (p: { readonly codes: string }) => `This is waiting for a decision:\n${p.codes}`,
};

const approvalsKo: typeof approvalsEn = {
  ask: (p) =>
    `${[`❓ **${p.requester === undefined ? '' : `${p.requester} 님의 요청이에요. `}이대로 할까요?**`, ...(p.why === '' ? [] : [p.why]), ...(p.isRepeated ? ['(다시 시작하기 전에 여쭤본 거예요.)'] : [])].join(' ')}\n${p.summary}\n_${p.minutes}분 뒤 자동 취소_`,
  why: {
    transactional: () => '쉽게 되돌릴 수 없어요.',
    loop: () => '같은 작업이 계속 반복되고 있어요.',
    policy: () => '먼저 여쭤보도록 설정되어 있어요.',
    afterOthers: () => '다른 사람의 글을 읽고 답하는 중이라 먼저 여쭤봐요.',
  },
  yesNo: () => '**y** 또는 **n**을 입력해 주세요.',
  byCommand: (p) => `\`/approve ${p.code}\` 또는 \`/deny ${p.code}\``,
  approved: (p) => `허용했어요: ${p.what}`,
  denied: (p) => `하지 않았어요: ${p.what}`,
  givenUp: (p) => `취소되어 하지 않았어요: ${p.what}`,
  passedOver: (p) => `하지 않았어요: ${p.what}. 하려면 **다시**라고 해 주세요.`,
  unclear: (p) => `**네** 또는 **아니요**로 답해 주세요. 아직 하지 않았어요: ${p.what}`,
  which: (p) =>
    `어느 것을 말씀하시나요? 번호로, 전부라면 **모두**라고 답해 주세요.\n${p.acts.map((act, index) => `${index + 1}. ${act}`).join('\n')}`,
  expired: (p) => `시간이 지나 하지 않았어요: ${p.what}. 하려면 **다시**라고 해 주세요.`,
  sure: (p) => `${p.what}: 정말 진행할까요? **y** 또는 **n** 을 입력해 주세요.`,
  declined: () => '알겠어요. 아무것도 하지 않았어요.',
  notYours: () => '질문하신 분이나 지정된 승인자만 결정할 수 있어요.',
  tooLate: () => '이미 결정되었거나 시간이 지났어요. 지금은 아무것도 하지 않았어요.',
  unknown: () => '그런 요청은 없거나 이미 끝났어요. 아무것도 하지 않았어요.',
  nothing: () => '결정을 기다리는 작업이 없어요.',
  several: (p) => `결정을 기다리는 작업이 여러 개예요. 어느 것인가요?\n${p.codes}`,
  waiting: (p) => `결정을 기다리는 작업:\n${p.codes}`,
};

export const approvalTexts = localized({ en: approvalsEn, ko: approvalsKo });

const CODE_LENGTH = 6;

/** What people type to name an approval request: the end of its id, which is random. */
export const approvalCode = (id: ApprovalId): string => id.slice(-CODE_LENGTH).toLowerCase();

/** The action that waits for approval, in one line. */
export const approvalAction = ({
  summary,
  toolName,
}: Pick<ApprovalRequest, 'summary' | 'toolName'>): string =>
  summary.split('\n', 1)[0]?.replace(/^> /, '') || toolName;

/** The question without the instructions for answering it, which differ by platform. */
export const approvalQuestion = (
  request: ApprovalRequest,
  clock: { readonly now: () => Timestamp },
): string => {
  const { summary, reason: why, requesterName, heard, isRepeated, expiresAt, locale } = request;
  const minutes = Math.max(1, Math.ceil(clock.now().until(expiresAt).total('minutes')));
  const requester = requesterName === undefined ? undefined : shortened(requesterName);
  const question = approvalTexts(locale).ask({ summary, why, minutes, requester, isRepeated });
  return heard === undefined ? question : `${voiceTexts(locale).heard({ words: heard })}\n\n${question}`;
};

/** Why a decision was not recorded. Undefined if it was: the resumed run says the rest itself. */
export const approvalProblem = (
  result: ApprovalOutcome | NotAdmitted,
  locale: Locale,
): string | undefined => {
  const t = approvalTexts(locale);
  switch (result.outcome) {
    case 'not-admitted':
      return result.text;
    case 'recorded':
      return undefined;
    case 'refused':
      return t.notYours();
    case 'too-late':
      return t.tooLate();
    case 'unknown':
      return t.unknown();
  }
  return result satisfies never;
};
