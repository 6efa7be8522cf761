import type { RunState } from '@/server/actions/pages/schema'

/** Which runs a page shows, as its address says it. An empty branch or event does not filter. */
export interface RunChoice {
  state: RunState
  branch: string
  event: string
  page: number
}

export const stateChoices: readonly { value: RunState; label: string }[] = [
  { value: 'all', label: 'Any status' },
  { value: 'active', label: 'Not completed' },
  { value: 'success', label: 'Succeeded' },
  { value: 'failure', label: 'Failed' },
  { value: 'cancelled', label: 'Canceled' },
  { value: 'skipped', label: 'Skipped' },
]

/** Reads the words of an address. An unknown status does not filter. */
export function runChoice(words: { status: string; branch: string; event: string; page: number }): RunChoice {
  const state = stateChoices.find(({ value }) => value === words.status)?.value ?? 'all'
  return { state, branch: words.branch, event: words.event, page: words.page }
}

export const isFiltered = ({ state, branch, event }: RunChoice): boolean =>
  state !== 'all' || branch !== '' || event !== ''
