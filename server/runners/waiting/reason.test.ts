import { expect, it } from 'vitest'
import { type Assessment, reasonOf } from './reason'

type State = { labels?: string[]; paused?: true; offline?: true; claimed?: true }

const wanted = ['linux', 'gpu']
const reasonFor = (...runners: State[]) =>
  reasonOf(
    wanted,
    runners.map(
      ({ labels = wanted, paused, offline, claimed }): Assessment => ({
        labels: wanted.map(label => ({ label, met: labels.includes(label) })),
        isEnabled: !paused,
        isOnline: !offline,
        isFree: !claimed,
      }),
    ),
  )

it.each<[string, string, string[], State[]]>([
  [
    'no_runner',
    'No runners are registered for this repository, its owner, or the site.',
    ['linux', 'gpu'],
    [],
  ],
  ['labels', 'No runner has the label gpu.', ['gpu'], [{ labels: ['linux'] }, { labels: [] }]],
  ['labels', 'No runner has the labels linux, gpu.', ['linux', 'gpu'], [{ labels: ['x'] }]],
  ['labels', 'No runner has all of the labels linux, gpu.', [], [{ labels: ['linux'] }, { labels: ['gpu'] }]],
  [
    'offline',
    "The only runner with the job's labels is offline.",
    [],
    [{ offline: true }, { labels: ['linux'] }],
  ],
  [
    'paused',
    "All 2 runners with the job's labels are paused.",
    [],
    [{ paused: true }, { paused: true, offline: true }],
  ],
  [
    'busy',
    "Of 4 runners with the job's labels, 2 are busy, 1 is paused and 1 is offline.",
    [],
    [{ claimed: true }, { claimed: true }, { paused: true }, { offline: true }],
  ],
  ['soon', '1 runner can take the job and will do so within seconds.', [], [{ claimed: true }, {}]],
])('reasonOf returns %s: %s', (reason, summary, missing_labels, runners) => {
  expect(reasonFor(...runners)).toEqual({ reason, summary, missing_labels })
})
