/** Elects one leader among the tabs of a browser by the Web Locks API. */
export interface Election {
  /** Joins the election: takes a lock of this tab, and becomes leader once no other tab is. */
  enter(): void
  /** Whether this tab holds its own lock, from which others learn when it is closed. */
  isPresent(): boolean
  /** Makes this tab the leader in place of one that does not respond. */
  seize(): void
  /** Calls back once another tab is closed or has crashed. */
  watch(tab: string, onClosed: () => void): void
  hasLeft(): boolean
  leave(): void
}

interface ElectionOptions {
  tab: string
  viewer: string
  /** The browser's locks. Absent if pages are not served over HTTPS. */
  locks: Pick<LockManager, 'request'> | undefined
  /** Called once this tab holds its own lock. */
  onPresent(): void
  onElected(): void
  /** Called when another tab has become leader in place of this one. */
  onReplaced(): void
  /** Called if the browser grants no locks here, so that each tab is on its own. */
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
