/** Detects that the leader of the tabs has become silent. */
export interface LeaderWatch {
  /** Must be called when a message that the leader answers has been sent to it. */
  expectAnswer(): void
  /** Must be called when the leader has sent something. */
  heard(): void
  stop(): void
}

// A leader sends something every minute. If it is suspended, it keeps its lock but does not respond.
const quietMs = 70_000
const answerMs = 2_000

/**
 * Watches the leader of the tabs.
 * @param onQuiet Called when the leader has sent nothing for more than a minute.
 * @param onNoAnswer Called when an answer is two seconds late.
 */
export function watchLeader(onQuiet: () => void, onNoAnswer: () => void): LeaderWatch {
  let answer: ReturnType<typeof setTimeout> | undefined
  let quiet: ReturnType<typeof setTimeout> | undefined

  function stop(): void {
    clearTimeout(answer)
    clearTimeout(quiet)
    answer = undefined
  }

  return {
    expectAnswer() {
      answer ??= setTimeout(() => {
        answer = undefined
        onNoAnswer()
      }, answerMs)
    },
    heard() {
      stop()
      quiet = setTimeout(onQuiet, quietMs)
    },
    stop,
  }
}
