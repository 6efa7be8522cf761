export type Phase = 'database' | 'repositories' | 'objects'

/** How far a backup, restore, or verification is. */
export interface ProgressState {
  phase: Phase
  done: number
  /** Total number of things in this phase; undefined if it is unknown. */
  total: number | undefined
  /** Bytes read so far, in all phases. */
  bytes: number
}

/** Receives the progress; a display decides how often it shows it. */
export interface Progress {
  begin(phase: Phase, total?: number): void
  step(): void
  bytes: (count: number) => void
}

/** Creates a progress that calls `show` at each change. */
export function createProgress(show: (state: ProgressState) => void = () => undefined): Progress {
  const state: ProgressState = { phase: 'database', done: 0, total: undefined, bytes: 0 }
  return {
    begin(phase, total) {
      Object.assign(state, { phase, total, done: 0 })
      show(state)
    },
    step() {
      state.done++
      show(state)
    },
    bytes(count) {
      state.bytes += count
      show(state)
    },
  }
}
