import type { CombinedState, StatusState } from './schema'

const failed: readonly StatusState[] = ['error', 'failure', 'warning']
const passed: readonly StatusState[] = ['success', 'skipped']

/**
 * Combines the newest states of a commit's contexts: failure if one of them failed, success if all passed, and
 * otherwise, also without any, pending.
 */
export function combine(states: readonly StatusState[]): CombinedState {
  if (states.some(state => failed.includes(state))) return 'failure'
  return states.length > 0 && states.every(state => passed.includes(state)) ? 'success' : 'pending'
}
