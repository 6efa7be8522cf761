import { hasLabel } from '../label-text'
import { isOnline, isPaused } from '../state'
import type { Candidate } from './candidates'
import type { WaitingExplanation } from './schema'

/** Whether a runner meets each requirement of a job. */
export interface Assessment {
  labels: { label: string; met: boolean }[]
  isEnabled: boolean
  isOnline: boolean
  isFree: boolean
}

export function assess(runner: Candidate, labels: readonly string[], now: Date): Assessment {
  return {
    labels: labels.map(label => ({ label, met: hasLabel(runner.labels, label) })),
    isEnabled: !isPaused(runner, now),
    isOnline: isOnline(runner, now),
    isFree: !runner.is_claimed,
  }
}

type Reason = Pick<WaitingExplanation, 'reason' | 'summary' | 'missing_labels'>

/** Explains in one sentence why no runner has taken a queued job. */
export function reasonOf(labels: readonly string[], assessments: readonly Assessment[]): Reason {
  if (assessments.length === 0) {
    return {
      reason: 'no_runner',
      summary: 'No runners are registered for this repository, its owner, or the site.',
      missing_labels: [...labels],
    }
  }
  const lacksNone = ({ labels }: Assessment) => labels.every(({ met }) => met)
  const matching = assessments.filter(lacksNone)
  if (matching.length === 0) return labelsReason(labels, assessments)
  const ready = matching.filter(each => each.isOnline && each.isEnabled)
  const free = ready.filter(({ isFree }) => isFree)
  const reason = (reason: WaitingExplanation['reason'], summary: string): Reason => ({
    reason,
    summary,
    missing_labels: [],
  })
  if (free.length > 0) {
    return reason('soon', `${counted(free.length)} can take the job and will do so within seconds.`)
  }
  const counts = [
    [ready.length, 'busy'],
    [matching.filter(each => !each.isEnabled).length, 'paused'],
    [matching.filter(each => each.isEnabled && !each.isOnline).length, 'offline'],
  ] as const
  const states = counts.flatMap(([count, word]) => (count > 0 ? [{ count, word }] : []))
  const first = states[0]
  if (!first) return labelsReason(labels, assessments)
  const what = labels.length === 0 ? 'that could take the job' : "with the job's labels"
  const is = (count: number) => (count === 1 ? 'is' : 'are')
  if (states.length === 1) {
    const who = matching.length === 1 ? `The only runner ${what}` : `All ${matching.length} runners ${what}`
    return reason(first.word, `${who} ${is(matching.length)} ${first.word}.`)
  }
  const described = states.map(({ count, word }) => `${count} ${is(count)} ${word}`)
  return reason(
    first.word,
    `Of ${matching.length} runners ${what}, ${described.slice(0, -1).join(', ')} and ${described.at(-1)}.`,
  )
}

function labelsReason(labels: readonly string[], assessments: readonly Assessment[]): Reason {
  const isKnown = (label: string) =>
    assessments.some(({ labels }) => labels.some(each => each.label === label && each.met))
  const missing_labels = labels.filter(label => !isKnown(label))
  const summary =
    missing_labels.length > 0
      ? `No runner has the label${missing_labels.length > 1 ? 's' : ''} ${missing_labels.join(', ')}.`
      : `No runner has all of the labels ${labels.join(', ')}.`
  return { reason: 'labels', summary, missing_labels }
}

const counted = (count: number): string => (count === 1 ? '1 runner' : `${count} runners`)
