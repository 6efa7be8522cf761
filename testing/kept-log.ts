import { createLog, type Logger } from '@/server/kernel/log'

/** A log that keeps what it was given, every level included. */
export function keptLog(): { log: Logger; text(): string } {
  let lines = ''
  const log = createLog('trace', {
    write: line => {
      lines += line
    },
  })
  return { log, text: () => lines }
}
