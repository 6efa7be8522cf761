/** Notices when the leader of the tabs is silent. */
export interface LeaderWatch {
  /** The leader was sent a message that it answers. */
  expectAnswer(): void
  /** The leader sent something. */
  heard(): void
  stop(): void
}

// A leader sends something every minute. If it is suspended, it keeps its lock and answers nothing.
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
