import type { ProgressState } from '@/server/backups'
import { formatBytes, formatCount } from './summary'

interface Terminal {
  isTTY?: boolean
  write(text: string): unknown
}

const width = 24
const everyMs = 100

/**
 * Returns a function that shows the progress in one line of a terminal, ten times per second at most. Shows
 * nothing if the output is not a terminal.
 */
export function progressBar(terminal: Terminal): { show: (state: ProgressState) => void; clear(): void } {
  let shownAt = 0
  const isShown = terminal.isTTY === true
  return {
    show(state) {
      const now = performance.now()
      if (!isShown || (state.done > 0 && state.done !== state.total && now - shownAt < everyMs)) return
      shownAt = now
      terminal.write(`\r${lineOf(state)}\u001b[K`)
    },
    clear() {
      if (isShown) terminal.write('\r\u001b[K')
    },
  }
}

/** Describes the progress in one line. */
export function lineOf({ phase, done, total, bytes }: ProgressState): string {
  if (total === undefined) return `${phase}: ${formatCount(done, 'row', 'rows')}, ${formatBytes(bytes)}`
  const part = total === 0 ? 1 : Math.min(1, done / total)
  const filled = Math.round(part * width)
  const bar = `${'#'.repeat(filled)}${'-'.repeat(width - filled)}`
  return `[${bar}] ${phase}: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}, ${formatBytes(bytes)}`
}
