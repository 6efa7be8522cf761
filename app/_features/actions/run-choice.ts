import type { RunState } from '@/server/actions/runs/schema'

/**
 * Filters of a page of runs, as its URL contains them. An empty branch, event, or workflow does not filter.
 */
export interface RunChoice {
  state: RunState
  branch: string
  event: string
  /** Name of the workflow's file. */
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

/** Reads the filters from query parameters. An unknown status does not filter. */
export function runChoice(params: Omit<RunChoice, 'state'> & { status: string }): RunChoice {
  const state = stateChoices.find(({ value }) => value === params.status)?.value ?? 'all'
  const { branch, event, workflow, page } = params
  return { state, branch, event, workflow, page }
}

export const isFiltered = ({ state, branch, event, workflow }: RunChoice): boolean =>
  state !== 'all' || branch !== '' || event !== '' || workflow !== ''
