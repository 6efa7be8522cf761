import type { RunState } from '@/server/actions/runs/schema'

/** Which runs a page shows, as its address says it. An empty branch, event or workflow does not filter. */
export interface RunChoice {
  state: RunState
  branch: string
  event: string
  /** The name of its file. */
  workflow: string
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
export function runChoice(params: Omit<RunChoice, 'state'> & { status: string }): RunChoice {
  const state = stateChoices.find(({ value }) => value === params.status)?.value ?? 'all'
  const { branch, event, workflow, page } = params
  return { state, branch, event, workflow, page }
}

export const isFiltered = ({ state, branch, event, workflow }: RunChoice): boolean =>
  state !== 'all' || branch !== '' || event !== '' || workflow !== ''
