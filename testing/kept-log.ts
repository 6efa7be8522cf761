import { createLog, type Logger } from '@/server/kernel/log'

/** Returns a logger that keeps the lines of all levels in memory. */
export function keptLog(): { log: Logger; text(): string } {
  let lines = ''
  const log = createLog('trace', {
    write: line => {
      lines += line
    },
  })
  return { log, text: () => lines }
}
