/** Elects one leader among the tabs of a browser by the Web Locks API. */
export interface Election {
  /** Joins the election: takes a lock of this tab, and leads once no other tab does. */
  enter(): void
  /** Whether this tab holds its own lock, by which others learn when it is closed. */
  isPresent(): boolean
  /** Takes the lead from a leader that does not answer. */
  seize(): void
  /** Calls back once another tab is closed, in whatever way. */
  watch(tab: string, onClosed: () => void): void
  hasLeft(): boolean
  leave(): void
}

interface ElectionOptions {
  tab: string
  viewer: string
  /** Absent if pages are not served over https. */
  locks: Pick<LockManager, 'request'> | undefined
  /** This tab is present. */
  onPresent(): void
  onElected(): void
  /** Another tab took the lead from this one. */
  onReplaced(): void
  /** The browser grants no locks here, so that each tab is on its own. */
  onNoLocks(): void
}

export function createElection(options: ElectionOptions): Election {
  const { tab, viewer, locks, onPresent, onElected, onReplaced, onNoLocks } = options
  const leaving = new AbortController()
  let candidacy = new AbortController()
  let isPresent = false
  let isElected = false

  const untilLeaving = (): Promise<void> =>
    new Promise(resolve => leaving.signal.addEventListener('abort', () => resolve()))

  function stand(steal: boolean): void {
    candidacy.abort()
    candidacy = new AbortController()
    const { signal } = candidacy
    const lead = async (): Promise<void> => {
      if (signal.aborted) return
      isElected = true
      onElected()
      await untilLeaving()
    }
    const lock = `guildhall-live ${viewer}`
    locks?.request(lock, steal ? { steal } : { signal }, lead).catch(() => {
      if (signal.aborted || leaving.signal.aborted) return
      if (!isElected) return onNoLocks()
      isElected = false
      stand(false)
      onReplaced()
    })
  }

  return {
    enter() {
      const stay = (): Promise<void> => {
        isPresent = true
        onPresent()
        return untilLeaving()
      }
      locks?.request(lockOf(tab), { signal: leaving.signal }, stay).catch(ignore)
      stand(false)
    },
    isPresent: () => isPresent,
    seize: () => stand(true),
    watch(other, onClosed) {
      locks?.request(lockOf(other), { signal: leaving.signal }, onClosed).catch(ignore)
    },
    hasLeft: () => leaving.signal.aborted,
    leave() {
      candidacy.abort()
      leaving.abort()
    },
  }
}

const lockOf = (tab: string): string => `guildhall-live-tab ${tab}`

const ignore = (): void => undefined
